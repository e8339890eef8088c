extension Async {
  /// Shows how far an upload has come.
  @MainActor final class UploadScreen {
    private(set) var fraction = 0.0
    private(set) var isDone = false
    private(set) var alert: String?

    /// Follows an upload to its end.
    func follow(_ events: UploadEvents) async {
      do {
        for try await fraction in events.fractions { self.fraction = fraction }
        isDone = !Task.isCancelled
      } catch is CancellationError {
        // Nobody says any more how the upload goes, which is no failure.
      } catch {
        alert = "The upload has failed."
      }
    }
  }

  /// A delegate whose calls come as a stream, for one reader.
  final class UploadEvents: UploaderDelegate {
    /// It keeps the newest fraction only, since a reader that is late has no use for the others. It ends with the upload,
    /// or when the uploader's delegate goes.
    let fractions: AsyncThrowingStream<Double, any Error>
    private let sink: AsyncThrowingStream<Double, any Error>.Continuation

    init() {
      (fractions, sink) = AsyncThrowingStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit { sink.finish(throwing: CancellationError()) }

    func uploader(didSend sent: Int, of total: Int) { sink.yield(Double(sent) / Double(total)) }

    func uploaderDidSucceed() { sink.finish() }

    func uploader(didFail error: any Error) { sink.finish(throwing: error) }
  }
}
