/// One consumer takes the uploads out of a stream: first in, first out, like the queue.
public struct UploadsStream: Uploads {
  private let input: AsyncStream<Upload>.Continuation
  private let consumer: Task<Void, Never>

  public init(send: @escaping @Sendable (Upload) -> Void) {
    let (stream, input) = AsyncStream.makeStream(of: Upload.self)
    self.input = input
    consumer = Task {
      for await upload in stream { send(upload) }
    }
  }

  public func submit(_ batch: [Upload]) {
    for upload in batch { input.yield(upload) }
  }

  /// Ends the stream: without that, the consumer would wait for the next upload for ever.
  public func finish() async {
    input.finish()
    await consumer.value
  }
}
