/// Several at a time, and the caller's own children: cancelled with it, and awaited by it.
public struct UploadsTaskGroup: Sendable {
  private let send: @Sendable (Upload) async -> Void

  public init(send: @escaping @Sendable (Upload) async -> Void) {
    self.send = send
  }

  public func upload(_ batch: [Upload]) async {
    await withDiscardingTaskGroup { group in
      for upload in batch {
        group.addTask { await send(upload) }
      }
    }
  }
}
