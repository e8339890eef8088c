extension Grouped {
  /// Several at a time, and the caller's own children: cancelled with it, and awaited by it.
  struct Uploads: Sendable {
    private let send: @Sendable (Upload) async -> Void

    init(send: @escaping @Sendable (Upload) async -> Void) {
      self.send = send
    }

    func upload(_ batch: [Upload]) async {
      await withDiscardingTaskGroup { group in
        for upload in batch {
          group.addTask { await send(upload) }
        }
      }
    }
  }
}
