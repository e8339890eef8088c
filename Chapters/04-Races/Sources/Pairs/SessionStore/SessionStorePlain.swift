extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class SessionStore: @unchecked Sendable {
    private(set) lazy var session = Session()
  }
}
