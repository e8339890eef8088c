// Looks right: the upload has its delegate. Wrong: it does not keep it, and nobody else does.

// region fractions
/// Begins an upload.
func fractions(of upload: any Upload) -> AsyncThrowingStream<Double, any Error> {
  let (fractions, sink) = AsyncThrowingStream.makeStream(
    of: Double.self, bufferingPolicy: .bufferingNewest(1))
  sink.onTermination = { end in
    if case .cancelled = end { upload.cancel() }
  }
  upload.begin(delegate: Listener(sink))
  return fractions
}
// endregion
