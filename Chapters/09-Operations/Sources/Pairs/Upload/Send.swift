typealias Answer = Result<Receipt, any Error>

/// Begins to send a photo. It calls back once, on a queue of its own, also when it is cancelled.
typealias Send =
  @Sendable (_ photo: Photo, _ completion: @escaping @Sendable (Answer) -> Void) -> Request

struct NothingToSend: Error {}

/// A request under way.
struct Request: Sendable {
  /// Ends it soon, with an error. A request that has been answered is not changed.
  let cancel: @Sendable () -> Void
}

/// Sends a photo; it ends with an error when its task is cancelled.
typealias AsyncSend = @Sendable (_ photo: Photo) async throws -> Receipt
