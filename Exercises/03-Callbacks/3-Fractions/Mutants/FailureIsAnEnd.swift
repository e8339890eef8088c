// Looks right: the stream ends in any case. Wrong: a failure looks like a success.

// region listener
private final class Listener: UploadDelegate {
  private let sink: AsyncThrowingStream<Double, any Error>.Continuation

  init(_ sink: AsyncThrowingStream<Double, any Error>.Continuation) { self.sink = sink }

  func upload(didSend fraction: Double) { sink.yield(fraction) }

  func uploadDidSucceed() { sink.finish() }

  func upload(didFail error: any Error) { sink.finish() }
}
// endregion
