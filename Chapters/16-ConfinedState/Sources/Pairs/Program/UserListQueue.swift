extension Queued {
  /// The list on the screen: what a context has, and which changes it was told of.
  final class UserList: @unchecked Sendable {
    // Sendable: all of it is used on the context's queue, where notices come, too.
    private let context: Context
    private(set) var names: [String] = []
    private(set) var changes: [Changes] = []

    /// To be made on the context's queue.
    init(of context: Context) {
      self.context = context
      show()
      context.observe { [weak self] notice in
        guard let self, notice.kind == .didChange else { return }
        changes.append(notice.changes)
        show()
      }
    }

    private func show() { names = context.users().map(\.name) }
  }
}
