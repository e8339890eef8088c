extension Forgetful {
  /// Knows that there are no persons below 1, and tells nobody.
  struct PersonStore: Sendable {
    let service: any PersonService

    func person(_ id: Int, then completion: @escaping Completion<Person?>) {
      guard id > 0 else { return }
      _ = service.person(id, then: completion)
    }

    func person(_ id: Int) async throws -> Person? {
      try await withCheckedThrowingContinuation { continuation in
        person(id) { continuation.resume(with: $0) }
      }
    }
  }
}
