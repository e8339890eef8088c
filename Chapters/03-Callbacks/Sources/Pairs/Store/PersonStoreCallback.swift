import Dispatch

extension CalledBack {
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

    /// - Parameter completion: Called once, on the main queue: with the person, nil if there is none, a ``PersonError``,
    ///   or a `CancellationError`. If you call on the main queue, this has returned by then.
    /// - Returns: A closure that cancels the search.
    func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel {
      let request = Cancellation()
      let answer = FirstResult<Person?> { result in
        DispatchQueue.main.async { completion(result) }
      }
      queue.async { [known, service] in
        do {
          if let person = try known.person(id) { return answer.take(.success(person)) }
        } catch {
          return answer.take(.failure(error))
        }
        if answer.isThere { return }
        request.begun(
          service.person(id) { result in
            if case .success(let person?) = result { known.keep(person) }
            answer.take(result)
          })
      }
      return {
        answer.take(.failure(CancellationError()))
        request.cancel()
      }
    }
  }
}
