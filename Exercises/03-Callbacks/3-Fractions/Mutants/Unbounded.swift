// Looks right: no fraction is lost. Wrong: a reader that is late gets all of them, and until then they are kept.

// region fractions
/// Begins an upload.
func fractions(of upload: any Upload) -> AsyncThrowingStream<Double, any Error> {
  let (fractions, sink) = AsyncThrowingStream.makeStream(of: Double.self)
  let listener = Listener(sink)
  sink.onTermination = { end in
    if case .cancelled = end { upload.cancel() }
    withExtendedLifetime(listener) {}
  }
  upload.begin(delegate: listener)
  return fractions
}
// endregion
