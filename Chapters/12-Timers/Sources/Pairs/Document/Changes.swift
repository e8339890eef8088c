import Synchronization

/// What of a document is not saved yet. Saves must not overlap.
final class Changes: Sendable {
  private let document: Document
  private let write: Write
  private let saved = Mutex(0)

  init(of document: Document, write: @escaping Write) {
    self.document = document
    self.write = write
  }

  /// Writes the document if it has changed since it was saved.
  ///
  /// A write that fails saves nothing, so the next call tries again.
  func save() throws {
    let version = document.version
    guard version.number != saved.withLock({ $0 }) else { return }
    try write(version)
    saved.withLock { $0 = version.number }
  }
}
