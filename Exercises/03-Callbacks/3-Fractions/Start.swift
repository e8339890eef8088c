// region fractions
/// Begins an upload.
///
/// - Returns: How much has been sent. It keeps the newest fraction only, ends when the upload has succeeded, and throws
///   what it failed with. When nobody reads it any more, the upload is cancelled.
func fractions(of upload: any Upload) -> AsyncThrowingStream<Double, any Error> {
  // TODO: Give the delegate an owner, the stream an end, and its buffer a bound.
  AsyncThrowingStream { sink in
    upload.begin(delegate: Listener(sink))
  }
}
// endregion

// region listener
private final class Listener: UploadDelegate {
  private let sink: AsyncThrowingStream<Double, any Error>.Continuation

  init(_ sink: AsyncThrowingStream<Double, any Error>.Continuation) { self.sink = sink }

  func upload(didSend fraction: Double) { sink.yield(fraction) }

  func uploadDidSucceed() {}

  func upload(didFail error: any Error) {}
}
// endregion
