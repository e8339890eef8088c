extension Streamed {
  /// One consumer takes the uploads out of a stream: first in, first out, like the queue.
  struct Uploads: Sendable {
    private let input: AsyncStream<Upload>.Continuation
    private let consumer: Task<Void, Never>

    init(send: @escaping @Sendable (Upload) async -> Void) {
      let (stream, input) = AsyncStream.makeStream(of: Upload.self)
      self.input = input
      consumer = Task {
        for await upload in stream { await send(upload) }
      }
    }

    func submit(_ batch: [Upload]) {
      for upload in batch { input.yield(upload) }
    }

    /// Ends the stream: without that, the consumer would wait for the next upload for ever.
    func finish() async {
      input.finish()
      await consumer.value
    }
  }
}
