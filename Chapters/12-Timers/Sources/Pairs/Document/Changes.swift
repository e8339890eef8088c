/// What of a document is not saved yet.
///
/// It is used on one queue.
// Sendable because its owner uses it on one queue only.
final class Changes: @unchecked Sendable {
  private let document: Document
  private let write: Write
  private var saved = 0

  init(of document: Document, write: @escaping Write) {
    self.document = document
    self.write = write
  }

  /// Writes the document if it has changed since it was saved.
  ///
  /// A write that fails saves nothing, so the next call tries again.
  func save() throws {
    let version = document.version
    guard version.number != saved else { return }
    try write(version)
    saved = version.number
  }
}
