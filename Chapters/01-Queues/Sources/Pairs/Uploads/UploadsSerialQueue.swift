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

    func finish() async {
      await withCheckedContinuation { continuation in
        queue.async { continuation.resume() }
      }
    }
  }
}
