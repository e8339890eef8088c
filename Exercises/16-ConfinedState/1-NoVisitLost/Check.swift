import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Book: Sendable {
  init(door: any Door)
  func visit(_ guest: String) async throws -> Int
  func count(of guest: String) async -> Int
}

extension VisitBook: Book {}

/// A door that takes a while to decide, and notes whom it has admitted with which number.
private final class TestDoor: Door {
  struct Refused: Error {}

  private let most: Int
  private let seconds: [String: Int]
  private let admitted = Mutex<Set<Int>>([])

  /// - Parameters:
  ///   - most: How many visits a guest may make.
  ///   - seconds: How long the door thinks about a guest.
  init(most: Int = .max, seconds: [String: Int] = [:]) {
    self.most = most
    self.seconds = seconds
  }

  func admit(_ guest: String, visit number: Int) async throws {
    if let seconds = seconds[guest] {
      // It does not hear of a cancellation.
      await Task { try? await Task.sleep(for: .seconds(seconds)) }.value
    } else {
      await Task.yield()
    }
    if number > most { throw Refused() }
    admitted.withLock { _ = $0.insert(number) }
  }

  func hasAdmitted(_ number: Int) -> Bool { admitted.withLock { $0.contains(number) } }
}

/// What comes of a visit: its number, or why there is none.
@Sendable private func visit(_ guest: String, _ book: any Book, _ door: TestDoor) async -> String {
  do {
    let number = try await book.visit(guest)
    return door.hasAdmitted(number) ? "\(number)" : "\(number) without the door"
  } catch {
    return error is CancellationError ? "cancelled" : error is TestDoor.Refused ? "refused" : "lost"
  }
}

/// Visits of Ada at the same time, each with its number, and the count in the end.
@Sendable private func visits(_ count: Int, most: Int = .max) async -> String {
  let door = TestDoor(most: most)
  let book: any Book = VisitBook(door: door)
  let words = await withTaskGroup(of: String.self) { group in
    for number in 1...count {
      group.addTask(name: "visit \(number)") { await visit("Ada", book, door) }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  return words.sorted().joined(separator: ", ") + "; \(await book.count(of: "Ada")) counted"
}

private let some = Orders.upTo(classes: 300, preempted: 120, drawn: 60)

@Test func `one visit after the other is counted`() async {
  await everyOrder(gives: "1, 2; 2 counted, 1 of Bo") {
    let door = TestDoor()
    let book: any Book = VisitBook(door: door)
    let words = await "\(visit("Ada", book, door)), \(visit("Ada", book, door))"
    _ = await visit("Bo", book, door)
    return "\(words); \(await book.count(of: "Ada")) counted, \(await book.count(of: "Bo")) of Bo"
  }
}

@Test func `two visits at the same time are both counted, each with its number`() async {
  await everyOrder(gives: "1, 2; 2 counted") { await visits(2) }
}

@Test func `so are three`() async {
  await everyOrder(gives: "1, 2, 3; 3 counted", within: some) { await visits(3) }
}

@Test func `the door decides about the number that is counted`() async {
  await everyOrder(gives: "1, refused; 1 counted") { await visits(2, most: 1) }
}

@Test func `a visit that is refused is not counted`() async {
  await everyOrder(gives: "refused, refused; 0 counted") { await visits(2, most: 0) }
}

@Test func `a visit that is cancelled while the door thinks is not counted`() async {
  await everyOrder(gives: "cancelled; 0 counted, then 1", time: .passesWhenIdle) {
    let door = TestDoor(seconds: ["Ada": 2])
    let book: any Book = VisitBook(door: door)
    let first = Task(name: "first") { await visit("Ada", book, door) }
    try await Task.sleep(for: .seconds(1))
    first.cancel()
    let word = await first.value
    let count = await book.count(of: "Ada")
    return "\(word); \(count) counted, then \(await visit("Ada", book, door))"
  }
}

@Test func `nor does it take a number from one that goes on`() async {
  await everyOrder(gives: "cancelled, 1; 1 counted", time: .passesWhenIdle) {
    let door = TestDoor(seconds: ["Ada": 2])
    let book: any Book = VisitBook(door: door)
    let first = Task(name: "first") { await visit("Ada", book, door) }
    try await Task.sleep(for: .seconds(1))
    let second = Task(name: "second") { await visit("Ada", book, door) }
    first.cancel()
    let words = await "\(first.value), \(second.value)"
    return "\(words); \(await book.count(of: "Ada")) counted"
  }
}

@Test func `a guest does not wait while the door thinks about another one`() async {
  await everyOrder(gives: "Bo 1 after 1 s, Ada 1 after 5 s", time: .passesWhenIdle) {
    let door = TestDoor(seconds: ["Ada": 5, "Bo": 1])
    let book: any Book = VisitBook(door: door)
    let begin = ContinuousClock.now
    let seconds = { @Sendable in Int((ContinuousClock.now - begin) / .seconds(1)) }
    async let ada = "Ada \(visit("Ada", book, door)) after \(seconds()) s"
    async let bo = "Bo \(visit("Bo", book, door)) after \(seconds()) s"
    return await "\(bo), \(ada)"
  }
}
