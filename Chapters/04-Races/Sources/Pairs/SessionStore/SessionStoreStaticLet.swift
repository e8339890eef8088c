extension Static {
  /// One session for the whole process: the language makes a `static let` once, on first use, and
  /// callers that arrive in the meantime wait.
  struct SessionStore {
    private static let shared = Session()

    var session: Session { Self.shared }
  }
}
