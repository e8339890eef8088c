/// The old code for a caller that is new. The continuation is resumed once, because a fetch calls back once.
///
/// - Parameter fetch: What calls back.
/// - Returns: The same to await. Cancelling does not reach the download, which the old code cannot stop.
func awaiting(_ fetch: @escaping Fetch) -> AsyncFetch {
  { name in
    try await withCheckedThrowingContinuation { continuation in
      fetch(name) { continuation.resume(with: $0) }
    }
  }
}
