/// What can happen to a file that is open: the rows of Apple's file-system source, with its numbers.
struct FileEvents: OptionSet, Hashable, Sendable, CustomStringConvertible {
  let rawValue: UInt

  /// Its last name was removed. It lives on until its last descriptor is closed.
  static let deleted = FileEvents(rawValue: 1 << 0)
  /// Its bytes changed, or a folder's entries.
  static let written = FileEvents(rawValue: 1 << 1)
  /// It grew.
  static let extended = FileEvents(rawValue: 1 << 2)
  /// Its mode, owner, times or extended attributes changed.
  static let attributes = FileEvents(rawValue: 1 << 3)
  /// The number of its names changed.
  static let link = FileEvents(rawValue: 1 << 4)
  static let renamed = FileEvents(rawValue: 1 << 5)
  /// Its access was revoked, or its volume is gone. Linux does not tell.
  static let revoked = FileEvents(rawValue: 1 << 6)

  static let all = FileEvents(rawValue: 1 << 7 - 1)
  /// After one of these nothing of interest follows.
  static let last: FileEvents = [.deleted, .revoked]

  var description: String {
    let names: [(FileEvents, String)] = [
      (.deleted, "deleted"), (.written, "written"), (.extended, "extended"),
      (.attributes, "attributes"), (.link, "link"), (.renamed, "renamed"), (.revoked, "revoked"),
    ]
    return names.filter { contains($0.0) }.map(\.1).joined(separator: " ")
  }
}
