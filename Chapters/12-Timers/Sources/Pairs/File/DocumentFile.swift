import Foundation

/// Where a document is saved: the file is the old one or the new one, and never half of it.
struct DocumentFile: Sendable {
  let url: URL

  @Sendable func write(_ version: Document.Version) throws {
    try Data(version.text.utf8).write(to: url, options: .atomic)
  }
}
