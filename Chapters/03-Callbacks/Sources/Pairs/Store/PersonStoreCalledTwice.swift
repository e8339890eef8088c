extension CalledTwice {
  /// Calls back with the person that it has, and with the server's when that one comes.
  struct PersonStore: Sendable {
    let cached: Person
    let service: any PersonService

    func person(_ id: Int, then completion: @escaping Completion<Person?>) {
      if id == cached.id { completion(.success(cached)) }
      _ = service.person(id, then: completion)
    }

    func person(_ id: Int) async throws -> Person? {
      try await withCheckedThrowingContinuation { continuation in
        person(id) { continuation.resume(with: $0) }
      }
    }
  }
}
