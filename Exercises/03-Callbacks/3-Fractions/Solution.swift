/// Is told how an upload goes. It stays as it is.
protocol UploadDelegate: AnyObject, Sendable {
  /// - Parameter fraction: How much has been sent, from 0 to 1.
  func upload(didSend fraction: Double)
  func uploadDidSucceed()
  func upload(didFail error: any Error)
}

/// Something that is sent piece by piece. It stays as it is.
protocol Upload: AnyObject, Sendable {
  /// Begins.
  ///
  /// - Parameter delegate: Called on any thread, one call after the other. It is not kept: without it the upload goes on,
  ///   and nobody is told.
  func begin(delegate: any UploadDelegate)
  /// Ends it; the delegate is told no more.
  func cancel()
}

// region fractions
/// Begins an upload.
///
/// - Returns: How much has been sent. It keeps the newest fraction only, ends when the upload has succeeded, and throws
///   what it failed with. When nobody reads it any more, the upload is cancelled.
func fractions(of upload: any Upload) -> AsyncThrowingStream<Double, any Error> {
  let (fractions, sink) = AsyncThrowingStream.makeStream(
    of: Double.self, bufferingPolicy: .bufferingNewest(1))
  let listener = Listener(sink)
  sink.onTermination = { end in
    if case .cancelled = end { upload.cancel() }
    withExtendedLifetime(listener) {}
  }
  upload.begin(delegate: listener)
  return fractions
}
// endregion

// region listener
private final class Listener: UploadDelegate {
  private let sink: AsyncThrowingStream<Double, any Error>.Continuation

  init(_ sink: AsyncThrowingStream<Double, any Error>.Continuation) { self.sink = sink }

  func upload(didSend fraction: Double) { sink.yield(fraction) }

  func uploadDidSucceed() { sink.finish() }

  func upload(didFail error: any Error) { sink.finish(throwing: error) }
}
// endregion
