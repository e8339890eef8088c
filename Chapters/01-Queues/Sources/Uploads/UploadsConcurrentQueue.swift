import Dispatch

/// Several at a time: started in order, finished in any.
public struct UploadsConcurrentQueue: Sendable {
  private let queue = DispatchQueue(label: "uploads", attributes: .concurrent)
  private let group = DispatchGroup()
  private let send: @Sendable (Upload) -> Void

  public init(send: @escaping @Sendable (Upload) -> Void) {
    self.send = send
  }

  public func submit(_ batch: [Upload]) {
    for upload in batch {
      queue.async(group: group) { send(upload) }
    }
  }

  public func finish() async {
    await withCheckedContinuation { continuation in
      group.notify(queue: queue) { continuation.resume() }
    }
  }
}
