extension PersonService {
  /// Asks the server. If the task is cancelled, so is the request, and nobody waits for it.
  ///
  /// - Throws: A ``PersonError``, or a `CancellationError`.
  func person(_ id: Int) async throws -> Person? {
    try Task.checkCancellation()
    let reply = Async.Reply<Person?>()
    let cancel = person(id, then: reply.take)
    return try await withTaskCancellationHandler {
      try await reply.value
    } onCancel: {
      // First, so that what the service says of the cancellation is no answer.
      reply.take(.failure(CancellationError()))
      cancel()
    }
  }
}
