extension Async.PersonStore {
  /// The same for callers that still pass a completion handler.
  ///
  /// - Parameter completion: Called once, on the main actor. If you call there, this has returned by then.
  /// - Returns: A closure that cancels the search.
  func person(
    _ id: Int, then completion: @escaping @MainActor (Result<Person?, any Error>) -> Void
  ) -> Cancel {
    let task = Task {
      do {
        let person = try await person(id)
        await completion(.success(person))
      } catch {
        await completion(.failure(error))
      }
    }
    return { task.cancel() }
  }
}
