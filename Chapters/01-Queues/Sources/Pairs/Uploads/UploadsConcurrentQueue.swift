import Dispatch

extension QueuedAtOnce {
  /// Several at a time: taken out in order, finished in any.
  struct Uploads: Sendable {
    private let queue = DispatchQueue(label: "uploads", attributes: .concurrent)
    private let group = DispatchGroup()
    private let send: @Sendable (Upload) -> Void

    init(send: @escaping @Sendable (Upload) -> Void) {
      self.send = send
    }

    func submit(_ batch: [Upload]) {
      for upload in batch {
        queue.async(group: group) { send(upload) }
      }
    }

    /// Calls back when everything that was handed over is sent.
    func finish(completion: @escaping @Sendable () -> Void) {
      group.notify(queue: queue, execute: completion)
    }
  }
}
