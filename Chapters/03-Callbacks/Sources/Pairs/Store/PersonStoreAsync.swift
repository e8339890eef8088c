extension Async {
  /// Finds persons: in memory, then in a folder, then by a service.
  struct PersonStore: Sendable {
    let known: KnownPersons
    let service: any PersonService

    /// - Returns: The person; nil if there is none.
    /// - Throws: A ``PersonError``, or a `CancellationError`.
    func person(_ id: Int) async throws -> Person? {
      if let person = try await knownPerson(id) { return person }
      let person = try await service.person(id)
      if let person { known.keep(person) }
      return person
    }

    /// Reads a file, so never on the caller's actor.
    @concurrent private func knownPerson(_ id: Int) async throws -> Person? {
      try known.person(id)
    }
  }
}
