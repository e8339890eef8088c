import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Searching: Sendable {
  init(client: any Client, parser: any Parser, queue: OperationQueue)
  func load(
    _ path: String, completion: @escaping @Sendable (Result<[String], SearchError>) -> Void)
}

extension Search: Searching {}

/// A network that has a page for each path but "lost", and answers on a thread of its own.
private final class Network: Client {
  /// What happens before an answer.
  private let before: @Sendable () -> Void

  init(before: @escaping @Sendable () -> Void = {}) { self.before = before }

  func fetch(
    _ path: String, completion: @escaping @Sendable (Result<String, SearchError>) -> Void
  ) {
    DispatchQueue.global().async { [before] in
      before()
      completion(path == "lost" ? .failure(.fetch(cause: "no connection")) : .success(path))
    }
  }
}

/// Parses pages of names with dashes between them, and looks in which queue.
private struct Names: Parser {
  let queue: OperationQueue

  func names(in page: String) -> Result<[String], SearchError> {
    guard OperationQueue.current === queue else { return .success(["parsed outside of the queue"]) }
    return page == "broken" ? .failure(.parse(page: page)) : .success(page.split("-"))
  }
}

extension String {
  fileprivate func split(_ separator: Character) -> [String] {
    split(separator: separator).map(String.init)
  }
}

/// One word: a second one is a `leave()` too many, and none is a wait that does not end.
private final class Word: Sendable {
  private let isSaid = DispatchGroup()
  private let result = Mutex<Result<[String], SearchError>?>(nil)

  init() { isSaid.enter() }

  @Sendable func say(_ result: Result<[String], SearchError>) {
    self.result.withLock { $0 = result }
    isSaid.leave()
  }

  /// Waits for it.
  func text() -> String {
    isSaid.wait()
    switch result.withLock({ $0 }) {
    case .success(let names): return names.joined(separator: ", ")
    case .failure(.fetch(let cause)): return "not fetched: \(cause)"
    case .failure(.parse(let page)): return "not parsed: \(page)"
    case .failure(.cancelled): return "cancelled"
    case nil: return "nothing"
    }
  }
}

private func queue(_ width: Int) -> OperationQueue {
  let queue = OperationQueue()
  queue.maxConcurrentOperationCount = width
  return queue
}

/// What the caller is told of a search.
private func told(_ path: String, width: Int) -> String {
  let (queue, word) = (queue(width), Word())
  let search: any Searching = Search(
    client: Network(), parser: Names(queue: queue), queue: queue)
  search.load(path, completion: word.say)
  return word.text()
}

private let some = Orders.upTo(classes: 120, preempted: 60, drawn: 40)

@Test func `the names of the page arrive, in a queue of two and in a queue of one`() async {
  await everyOrder(gives: "ada, bo", within: some) { told("ada-bo", width: 2) }
  await everyOrder(gives: "ada, bo", within: some) { told("ada-bo", width: 1) }
}

@Test func `the error of the fetch arrives, with its cause`() async {
  await everyOrder(gives: "not fetched: no connection", within: some) { told("lost", width: 2) }
}

@Test func `so does the error of the parser`() async {
  await everyOrder(gives: "not parsed: broken", within: some) { told("broken", width: 2) }
}

@Test func `a search that is cancelled before it begins is told`() async {
  await everyOrder(gives: "cancelled", within: some) {
    let (queue, word) = (queue(2), Word())
    queue.isSuspended = true
    let search: any Searching = Search(
      client: Network(), parser: Names(queue: queue), queue: queue)
    search.load("ada", completion: word.say)
    queue.cancelAllOperations()
    queue.isSuspended = false
    return word.text()
  }
}

@Test func `so is one that is cancelled at any time`() async {
  await everyOrder(gives: "cancelled", "ada", within: some) {
    let (queue, word) = (queue(2), Word())
    let search: any Searching = Search(
      client: Network(), parser: Names(queue: queue), queue: queue)
    search.load("ada", completion: word.say)
    queue.cancelAllOperations()
    return word.text()
  }
}

@Test func `the caller is not blocked`() async {
  await everyOrder(gives: "ada", within: some) {
    let (queue, word, isBack) = (queue(2), Word(), DispatchSemaphore(value: 0))
    let search: any Searching = Search(
      client: Network { isBack.wait() }, parser: Names(queue: queue), queue: queue)
    search.load("ada", completion: word.say)
    isBack.signal()
    return word.text()
  }
}

@Test func `two searches know nothing of each other`() async {
  await everyOrder(
    gives: "ada; not fetched: no connection",
    within: .upTo(classes: 60, preempted: 60, drawn: 60)
  ) {
    let (queue, first, second) = (queue(2), Word(), Word())
    let search: any Searching = Search(
      client: Network(), parser: Names(queue: queue), queue: queue)
    search.load("ada", completion: first.say)
    search.load("lost", completion: second.say)
    return "\(first.text()); \(second.text())"
  }
}

@Test func `a search that is over leaves its place in the queue to the next one`() async {
  await everyOrder(gives: "ada; bo", within: some) {
    let (queue, first, second) = (queue(1), Word(), Word())
    let search: any Searching = Search(
      client: Network(), parser: Names(queue: queue), queue: queue)
    search.load("ada", completion: first.say)
    let name = first.text()
    search.load("bo", completion: second.say)
    return "\(name); \(second.text())"
  }
}

@Test func `nobody else has to keep the search meanwhile`() async {
  await everyOrder(gives: "ada", within: some) {
    let (queue, word) = (queue(1), Word())
    func begin() {
      let search: any Searching = Search(
        client: Network(), parser: Names(queue: queue), queue: queue)
      search.load("ada", completion: word.say)
    }
    begin()
    return word.text()
  }
}
