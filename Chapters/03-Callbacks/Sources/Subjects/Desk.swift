import Dispatch
import Synchronization
import Workbook

extension Person {
  static let ada = Person(id: 1, name: "Ada", city: "London")
  static let bo = Person(id: 2, name: "Bo", city: "Malmö")
}

/// What stands for a server: it knows Ada and Bo, and answers each request on a queue.
final class Desk: PersonService {
  private let queue: @Sendable (Int) -> DispatchQueue
  private let beforeAnswer: @Sendable (Int) -> Void

  /// - Parameters:
  ///   - queue: The queue that answers a request for this person; `nil` stands for one that is new.
  ///   - beforeAnswer: Called on that queue before the answer.
  init(
    on queue: DispatchQueue? = nil, beforeAnswer: @escaping @Sendable (Int) -> Void = { _ in }
  ) {
    self.queue = { id in queue ?? DispatchQueue(label: "server for \(id)") }
    self.beforeAnswer = beforeAnswer
  }

  func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel {
    let isCancelled = Flag()
    queue(id).async { [beforeAnswer] in
      beforeAnswer(id)
      let person = [Person.ada, .bo].first { $0.id == id }
      completion(isCancelled.isSet ? .failure(CancellationError()) : .success(person))
    }
    return isCancelled.set
  }
}

final class Flag: Sendable {
  private let state = Atomic(0)

  var isSet: Bool { state.load(ordering: .sequentiallyConsistent) == 1 }

  @Sendable func set() { state.store(1, ordering: .sequentiallyConsistent) }
}

// MARK: What a caller is told

func told(_ result: Result<Person?, any Error>) -> String {
  switch result {
  case .success(let person): return person?.name ?? "nobody"
  case .failure(is CancellationError): return "cancelled"
  case .failure(let error): return "\(error)"
  }
}

func told(_ person: () async throws -> Person?) async -> String {
  do { return told(.success(try await person())) } catch { return told(.failure(error)) }
}

func told(_ content: PersonContent) -> String {
  switch content {
  case .empty: return "nothing"
  case .person(let person): return person.name
  case .nobody: return "nobody"
  case .failure(let layer): return "\(layer) failed"
  }
}
