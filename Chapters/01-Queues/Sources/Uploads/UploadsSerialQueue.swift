import Dispatch

public struct UploadsSerialQueue: Uploads {
  private let queue = DispatchQueue(label: "uploads")
  private let send: @Sendable (Upload) -> Void

  public init(send: @escaping @Sendable (Upload) -> Void) {
    self.send = send
  }

  public func submit(_ batch: [Upload]) {
    for upload in batch {
      queue.async(qos: upload.isUrgent ? .userInitiated : .utility) { send(upload) }
    }
  }

  public func finish() async {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume() }
    }
  }
}
