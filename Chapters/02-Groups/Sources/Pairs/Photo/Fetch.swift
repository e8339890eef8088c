/// What comes of a request: a photo, or why there is none.
typealias Answer = Result<Photo, any Error>

/// Begins a download, and calls back when it has ended, on a queue of the network's.
typealias Fetch =
  @Sendable (_ name: String, _ completion: @escaping @Sendable (Answer) -> Void) -> Void

/// Downloads a photo.
typealias AsyncFetch = @Sendable (_ name: String) async throws -> Photo
