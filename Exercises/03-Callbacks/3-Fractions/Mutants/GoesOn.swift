// Looks right: the stream has its bound, its owner and its end. Wrong: when its reader goes, the upload goes on.

// region fractions
/// Begins an upload.
func fractions(of upload: any Upload) -> AsyncThrowingStream<Double, any Error> {
  let (fractions, sink) = AsyncThrowingStream.makeStream(
    of: Double.self, bufferingPolicy: .bufferingNewest(1))
  let listener = Listener(sink)
  sink.onTermination = { _ in withExtendedLifetime(listener) {} }
  upload.begin(delegate: listener)
  return fractions
}
// endregion
