extension Blocking {
  /// Finds persons: in memory, then in a folder, then by a service.
  struct PersonStore: Sendable {
    let known: KnownPersons
    let service: any PersonService

    /// Blocks its thread for as long as that takes.
    ///
    /// - Returns: The person; nil if there is none.
    /// - Throws: A ``PersonError``, or a `CancellationError`.
    func person(_ id: Int, _ cancellation: Cancellation) throws -> Person? {
      if let person = try known.person(id) { return person }
      if cancellation.isCancelled { throw CancellationError() }
      let person = try service.waitForPerson(id, cancellation)
      if let person { known.keep(person) }
      return person
    }
  }
}
