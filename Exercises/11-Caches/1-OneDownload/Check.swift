import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Storing: Sendable {
  init(load: @escaping @Sendable (String) async throws -> String)
  func picture(_ name: String) async throws -> String
}

extension PictureStore: Storing {}

private struct Lost: Error {}

/// A server that counts what it sends: a1, then b2.
private final class Server: Sendable {
  private let sent = Mutex(0)
  private let failures: Int

  /// - Parameter failures: How many downloads fail, before the others succeed.
  init(failures: Int = 0) { self.failures = failures }

  @Sendable func load(_ name: String) async throws -> String {
    let number = sent.withLock { sent in
      sent += 1
      return sent
    }
    await Task.yield()
    if number <= failures { throw Lost() }
    return "\(name)\(number)"
  }

  var count: Int { sent.withLock { $0 } }
}

/// What a caller gets.
@Sendable private func ask(_ store: any Storing, _ name: String) async -> String {
  do { return try await store.picture(name) } catch {
    return error is CancellationError ? "cancelled" : "lost"
  }
}

private let some = Orders.upTo(classes: 200, preempted: 80, drawn: 60)

@Test func `two that ask at once have one download and one picture`() async {
  await everyOrder(gives: "a1 a1, 1 sent", within: some) {
    let server = Server()
    let store: any Storing = PictureStore(load: server.load)
    async let first = ask(store, "a")
    async let second = ask(store, "a")
    return await "\(first) \(second), \(server.count) sent"
  }
}

@Test func `so have three, and one that comes when all is over`() async {
  await everyOrder(gives: "a1 a1 a1, then a1, 1 sent", within: some) {
    let server = Server()
    let store: any Storing = PictureStore(load: server.load)
    async let first = ask(store, "a")
    async let second = ask(store, "a")
    async let third = ask(store, "a")
    let words = await "\(first) \(second) \(third)"
    return await "\(words), then \(ask(store, "a")), \(server.count) sent"
  }
}

@Test func `a failure is told, and not kept`() async {
  await everyOrder(gives: "lost, then a2, then a2, 2 sent", within: some) {
    let server = Server(failures: 1)
    let store: any Storing = PictureStore(load: server.load)
    let words = await "\(ask(store, "a")), then \(ask(store, "a")), then \(ask(store, "a"))"
    return "\(words), \(server.count) sent"
  }
}

@Test func `of two that meet a failure, nobody is left without an answer`() async {
  // The second may come while the download fails, or after that.
  await everyOrder(
    gives: "lost lost, then a2, 2 sent", "a2 lost, then a2, 2 sent", within: some
  ) {
    let server = Server(failures: 1)
    let store: any Storing = PictureStore(load: server.load)
    async let first = ask(store, "a")
    async let second = ask(store, "a")
    let words = await [first, second].sorted().joined(separator: " ")
    return await "\(words), then \(ask(store, "a")), \(server.count) sent"
  }
}

@Test func `an error is told to all that wait`() async {
  await everyOrder(gives: "lost lost, 1 sent", within: some, time: .passesWhenIdle) {
    let sent = Server()
    let store: any Storing = PictureStore { name in
      _ = try await sent.load(name)
      // When this is over, both wait.
      try await Task.sleep(for: .seconds(1))
      throw Lost()
    }
    async let first = ask(store, "a")
    async let second = ask(store, "a")
    return await "\(first) \(second), \(sent.count) sent"
  }
}

@Test func `those that ask again after a failure share the next download`() async {
  await everyOrder(gives: "a2 a2, 2 sent", within: some) {
    let server = Server(failures: 1)
    let store: any Storing = PictureStore(load: server.load)
    @Sendable func askTwice() async -> String {
      let picture = await ask(store, "a")
      return picture == "lost" ? await ask(store, "a") : picture
    }
    async let first = askTwice()
    async let second = askTwice()
    return await "\(first) \(second), \(server.count) sent"
  }
}

@Test func `different pictures are loaded at the same time`() async {
  await everyOrder(gives: "a and b", within: some) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
    let store: any Storing = PictureStore { name in
      // The one ends when the other has begun.
      if name == "a" { for await _ in stream {} } else { continuation.finish() }
      return name
    }
    async let first = ask(store, "a")
    async let second = ask(store, "b")
    return await "\(first) and \(second)"
  }
}

@Test func `one that is cancelled takes nothing from another one`() async {
  await everyOrder(gives: "a1", "a2", within: some) {
    let server = Server()
    let store: any Storing = PictureStore { name in
      let picture = try await server.load(name)
      try Task.checkCancellation()
      return picture
    }
    let first = Task(name: "first") { await ask(store, "a") }
    let second = Task(name: "second") { await ask(store, "a") }
    first.cancel()
    _ = await first.value
    return await second.value
  }
}
