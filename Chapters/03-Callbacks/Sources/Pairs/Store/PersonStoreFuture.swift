import Dispatch

extension Promised {
  /// Finds persons: in memory, then in a folder, then by a service.
  final class PersonStore: Sendable {
    private let known: KnownPersons
    private let service: any PersonService
    /// Where files are read.
    private let queue = DispatchQueue(label: "persons", qos: .userInitiated)

    init(known: KnownPersons, service: any PersonService) {
      self.known = known
      self.service = service
    }

    /// The person, nil if there is none, a ``PersonError``, or a `CancellationError`; resolved on any thread.
    func person(_ id: Int, _ cancellation: Cancellation) -> Future<Person?> {
      knownPerson(id).flatMap { [known, service] person in
        if let person { return Future(.success(person)) }
        if cancellation.isCancelled { throw CancellationError() }
        return service.futurePerson(id, cancellation).map { person in
          if let person { known.keep(person) }
          return person
        }
      }
    }

    private func knownPerson(_ id: Int) -> Future<Person?> {
      let future = Future<Person?>()
      queue.async { [known] in future.resolve(with: Result { try known.person(id) }) }
      return future
    }
  }
}
