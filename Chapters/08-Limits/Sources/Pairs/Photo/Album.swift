/// What an import comes to: previews with their numbers, and the light of all photos.
///
/// The order counts. Each entry has the number after the one before, and of files with the same bytes the first is
/// entered.
struct Album: Equatable, Sendable {
  private(set) var entries: [String] = []
  private var previews: [UInt8] = []
  private var known: Set<UInt64> = []
  var light = Light()

  mutating func enter(_ preview: Preview) {
    guard let photo = preview.photo else { return entries.append("\(preview.name): no photo") }
    guard known.insert(preview.fingerprint).inserted else {
      return entries.append("\(preview.name): imported before")
    }
    entries.append("\(known.count) \(preview.name)")
    previews += photo.pixmap
  }

  /// The album as it is written to disk.
  var bytes: [UInt8] {
    Array(
      (entries + [light.counts.map(String.init).joined(separator: " "), ""])
        .joined(separator: "\n").utf8) + previews
  }
}
