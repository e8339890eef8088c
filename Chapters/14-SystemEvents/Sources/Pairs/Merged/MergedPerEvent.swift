import Dispatch

extension PerEvent {
  /// Tells of bytes that have come, with a block for each call.
  struct DownloadProgress: Sendable {
    let queue: DispatchQueue
    let whenAdded: @Sendable (_ bytes: UInt) -> Void

    func add(bytes: UInt) { queue.async { whenAdded(bytes) } }
  }

  /// Bytes that have come, an element for each call.
  static func pieces() -> (stream: AsyncStream<UInt>, continuation: AsyncStream<UInt>.Continuation)
  {
    AsyncStream.makeStream()
  }
}
