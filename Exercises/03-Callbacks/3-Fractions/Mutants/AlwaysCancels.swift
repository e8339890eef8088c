// Looks right: when the stream is over, so is the upload. Wrong: the stream is over when the upload has succeeded, too.

// region fractions
/// Begins an upload.
func fractions(of upload: any Upload) -> AsyncThrowingStream<Double, any Error> {
  let (fractions, sink) = AsyncThrowingStream.makeStream(
    of: Double.self, bufferingPolicy: .bufferingNewest(1))
  let listener = Listener(sink)
  sink.onTermination = { _ in
    upload.cancel()
    withExtendedLifetime(listener) {}
  }
  upload.begin(delegate: listener)
  return fractions
}
// endregion
