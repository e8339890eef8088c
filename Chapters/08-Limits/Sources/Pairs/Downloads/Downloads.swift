/// What comes of a download.
typealias Answer = Result<[UInt8], any Error>

/// Begins a download, and calls back once, on a queue of the network's.
typealias Fetch =
  @Sendable (_ name: String, _ completion: @escaping @Sendable (Answer) -> Void) -> Void

/// Downloads a file.
typealias AsyncFetch = @Sendable (_ name: String) async throws -> [UInt8]
