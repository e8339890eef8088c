import Synchronization

/// A text that is edited while it is saved.
final class Document: Sendable {
  struct Version: Equatable, Sendable {
    var text = ""
    /// How often it was edited.
    var number = 0
  }

  private let state = Mutex(Version())

  var version: Version { state.withLock { $0 } }

  func edit(_ text: String) {
    state.withLock { $0 = Version(text: text, number: $0.number + 1) }
  }
}

/// Writes a version, and returns when it is safe.
typealias Write = @Sendable (Document.Version) throws -> Void
