import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Loading: Sendable {
  init(load: @escaping @Sendable (String) async throws -> String)
  func picture(_ name: String) async throws -> String
}

extension PictureFlights: Loading {}

private struct Lost: Error {}

/// Opens once, for all that wait; a cancelled task goes on waiting.
private final class Latch: Sendable {
  private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

  func open() { continuation.finish() }
  func wait() async { await Task { for await _ in stream {} }.value }
}

/// A server that counts what it sends, a1 first.
private final class Server: Sendable {
  private let state = Mutex((begun: 0, ended: 0, most: 0))
  private let answers: @Sendable (Int) async throws -> Void

  /// - Parameter answers: Returns when a download of this number may be answered, from 1.
  init(answers: @escaping @Sendable (Int) async throws -> Void = { _ in await Task.yield() }) {
    self.answers = answers
  }

  @Sendable func load(_ name: String) async throws -> String {
    let number = state.withLock { state in
      state.begun += 1
      state.most = max(state.most, state.begun - state.ended)
      return state.begun
    }
    defer { state.withLock { $0.ended += 1 } }
    try await answers(number)
    return "\(name)\(number)"
  }

  var begun: Int { state.withLock { $0.begun } }
  var most: Int { state.withLock { $0.most } }
}

/// Waits until it is cancelled.
@Sendable private func silence() async throws {
  let (stream, _) = AsyncStream.makeStream(of: Void.self)
  for await _ in stream {}
  try Task.checkCancellation()
}

/// What a caller gets.
@Sendable private func ask(_ flights: any Loading, _ name: String) async -> String {
  do { return try await flights.picture(name) } catch {
    return error is CancellationError ? "cancelled" : "lost"
  }
}

private let some = Orders.upTo(classes: 200, preempted: 80, drawn: 60)

@Test func `a picture is loaded once at a time, for all that wait`() async {
  await everyOrder(gives: "2 pictures, 1 load at a time", within: some) {
    let server = Server()
    let flights: any Loading = PictureFlights(load: server.load)
    async let first = ask(flights, "a")
    async let second = ask(flights, "a")
    let count = await [first, second].count { $0.hasPrefix("a") }
    return "\(count) pictures, \(server.most) load at a time"
  }
}

@Test func `a failure is told, and the next caller has a flight of its own`() async {
  await everyOrder(gives: "lost, then a2", within: some) {
    let server = Server { number in if number == 1 { throw Lost() } }
    let flights: any Loading = PictureFlights(load: server.load)
    return await "\(ask(flights, "a")), then \(ask(flights, "a"))"
  }
}

@Test func `one that is cancelled is told, though the server is silent, and cancels the load`()
  async
{
  // The load waits for its cancellation. If none comes, it is left over.
  await everyOrder(gives: "cancelled", within: some) {
    let server = Server { _ in try await silence() }
    let flights: any Loading = PictureFlights(load: server.load)
    let caller = Task(name: "caller") { await ask(flights, "a") }
    caller.cancel()
    return await caller.value
  }
}

@Test func `one that is cancelled beforehand begins nothing`() async {
  await everyOrder(gives: "cancelled, 0 begun", within: some) {
    let server = Server { _ in try await silence() }
    let flights: any Loading = PictureFlights(load: server.load)
    let caller = Task(name: "caller") {
      withUnsafeCurrentTask { $0?.cancel() }
      return await ask(flights, "a")
    }
    let word = await caller.value
    for _ in 0..<2 { await Task.yield() }
    return "\(word), \(server.begun) begun"
  }
}

@Test func `the others keep the flight that one leaves`() async {
  await everyOrder(
    gives: "cancelled, a picture", "a picture, a picture",
    within: .upTo(classes: 400, preempted: 150, drawn: 100)
  ) {
    let server = Server { _ in try Task.checkCancellation() }
    let flights: any Loading = PictureFlights(load: server.load)
    let first = Task(name: "first") { await ask(flights, "a") }
    let second = Task(name: "second") { await ask(flights, "a") }
    first.cancel()
    let words = await [first.value, second.value]
    return words.map { $0.hasPrefix("a") ? "a picture" : $0 }.joined(separator: ", ")
  }
}

@Test func `one that comes after the last one has left has a flight of its own`() async {
  await everyOrder(gives: "cancelled, then a2", within: some) {
    let (server, latch) = (Box(), Latch())
    let flights: any Loading = PictureFlights { name in
      // The first load hears of its cancellation late.
      try await server.load(name, holding: latch)
    }
    let first = Task(name: "first") { await ask(flights, "a") }
    await server.firstHasBegun.wait()
    first.cancel()
    let word = await first.value
    let second = Task(name: "second") { await ask(flights, "a") }
    await server.secondHasBegun.wait()
    latch.open()
    return "\(word), then \(await second.value)"
  }
}

/// Holds its first answer, which ends with a picture all the same; and its second until that has ended.
private final class Box: Sendable {
  private let count = Mutex(0)
  let (firstHasBegun, secondHasBegun, firstHasEnded) = (Latch(), Latch(), Latch())

  func load(_ name: String, holding latch: Latch) async throws -> String {
    let number = count.withLock { count in
      count += 1
      return count
    }
    (number == 1 ? firstHasBegun : secondHasBegun).open()
    if number == 1 {
      await latch.wait()
      firstHasEnded.open()
    } else {
      await firstHasEnded.wait()
      for _ in 0..<3 { await Task.yield() }
    }
    return "\(name)\(number)"
  }
}
