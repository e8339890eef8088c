/// A disk in memory that loses power before a chosen step, and then holds anything that a disk may hold.
///
/// A write takes three steps, a third of the bytes each. What was not synced may be on the disk or not: each third by
/// itself, with zeros in its place if a later one is; the mode; and of the changes of names the first few, since a file
/// system keeps these in order. Nothing orders names against bytes.
final class ModelDisk: Disk, @unchecked Sendable {
  // Sendable: only the thread that makes a disk has it, and saves to it.
  struct NoPower: Error {}
  struct NoFile: Error {}
  struct NoRoom: Error {}

  struct Content: Hashable {
    var bytes: [UInt8] = []
    var mode = 0o644
  }

  /// A file with what is on the disk for sure, and what is not.
  private struct File {
    var synced = Content()
    var writes: [[UInt8]] = []
    var mode: Int?

    var seen: Content { Content(bytes: synced.bytes + writes.joined(), mode: mode ?? synced.mode) }

    /// Each content that it may have after a loss of power.
    var survivors: [Content?] {
      (0..<(1 << writes.count)).flatMap { choice -> [Content?] in
        let last = writes.indices.last { choice >> $0 & 1 == 1 } ?? -1
        let body = writes.indices.prefix(last + 1).flatMap { index in
          choice >> index & 1 == 1 ? writes[index] : writes[index].map { _ in 0 }
        }
        return [synced.mode, seen.mode].map { Content(bytes: synced.bytes + body, mode: $0) }
      }
    }
  }

  private var files: [File] = []
  private(set) var names: [String: Int] = [:]
  private var syncedNames: [String: Int] = [:]
  /// The folder after each change of names that is not synced.
  private var changes: [[String: Int]] = []
  private var steps = 0
  /// The power goes after so many steps.
  var lastStep = Int.max
  var isFull = false

  init() {}

  /// A disk that holds one file, for sure.
  init(holding content: Content, as name: String) {
    files = [File(synced: content)]
    names = [name: 0]
    syncedNames = names
  }

  /// What a file may be after a loss of power: nil stands for no file.
  func survivors(of name: String) -> Set<Content?> {
    Set(([syncedNames] + changes).flatMap { $0[name].map { files[$0].survivors } ?? [nil] })
  }

  private func step() throws {
    if steps == lastStep { throw NoPower() }
    steps += 1
  }

  private func file(_ name: String) throws -> Int {
    guard let index = names[name] else { throw NoFile() }
    return index
  }

  // MARK: Disk

  func create(_ name: String) throws {
    try step()
    files.append(File())
    names[name] = files.count - 1
    changes.append(names)
  }

  func copyMode(of name: String, to other: String) throws {
    try step()
    if let old = names[name] { files[try file(other)].mode = files[old].seen.mode }
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    let third = (bytes.count + 2) / 3
    for begin in stride(from: 0, to: bytes.count, by: third) {
      try step()
      if isFull { throw NoRoom() }
      files[try file(name)].writes.append(
        Array(bytes[begin..<min(begin + third, bytes.count)]))
    }
  }

  func sync(_ name: String) throws {
    try step()
    files[try file(name)] = File(synced: files[try file(name)].seen)
  }

  func rename(_ name: String, to other: String) throws {
    try step()
    names[other] = try file(name)
    names[name] = nil
    changes.append(names)
  }

  func syncFolder() throws {
    try step()
    (syncedNames, changes) = (names, [])
  }

  func remove(_ name: String) throws {
    try step()
    if names.removeValue(forKey: name) != nil { changes.append(names) }
  }

  func read(_ name: String) throws -> [UInt8]? { names[name].map { files[$0].seen.bytes } }
}
