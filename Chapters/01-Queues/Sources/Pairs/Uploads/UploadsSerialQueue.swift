import Dispatch

extension Queued {
  struct Uploads: Sendable {
    private let queue = DispatchQueue(label: "uploads")
    private let send: @Sendable (Upload) -> Void

    init(send: @escaping @Sendable (Upload) -> Void) {
      self.send = send
    }

    func submit(_ batch: [Upload]) {
      for upload in batch {
        queue.async(qos: upload.isUrgent ? .userInitiated : .utility) { send(upload) }
      }
    }

    /// Calls back when everything that was handed over is sent.
    func finish(completion: @escaping @Sendable () -> Void) {
      queue.async(execute: completion)
    }
  }
}
