import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Pages: Sendable {
  init(client: any Client, attempts: Int)
  func page(_ name: String) async throws -> String
}

extension PageLoader: Pages {}

/// A server that has an error for each of the first requests.
private final class Server: Client {
  /// How long each answer takes.
  private let delay: Duration
  private let errors: [any Error]
  private let start = ContinuousClock.now
  private let asked = Mutex<[Double]>([])

  init(_ errors: any Error..., delay: Duration = .zero) {
    self.errors = errors
    self.delay = delay
  }

  var now: Double { (ContinuousClock.now - start) / .seconds(1) }

  func page(_ name: String) async throws -> String {
    let number = asked.withLock { asked in
      asked.append(now)
      return asked.count
    }
    if delay > .zero { try await Task.sleep(for: delay) }
    try Task.checkCancellation()
    if number <= errors.count { throw errors[number - 1] }
    return name
  }

  /// What a caller comes to, when, and when the server was asked.
  func outcome(attempts: Int) async -> String {
    let loader: any Pages = PageLoader(client: self, attempts: attempts)
    let word: String
    do {
      word = try await loader.page("sea")
    } catch let error as ServerError {
      switch error {
      case .busy: word = "busy"
      case .lost: word = "lost"
      case .notFound: word = "not found"
      }
    } catch {
      word = "\(type(of: error))"
    }
    let times = asked.withLock { $0 }.map { "\($0)" }.joined(separator: ", ")
    return "\(word) at \(now), asked at \(times)"
  }

  /// The same for a caller that is cancelled after a time.
  func outcome(attempts: Int, cancelledAfter time: Duration) async throws -> String {
    let caller = Task(name: "caller") { await outcome(attempts: attempts) }
    try await Task.sleep(for: time)
    caller.cancel()
    return await caller.value
  }
}

private let some = Orders.upTo(classes: 60, preempted: 40, drawn: 20)

private func check(
  _ right: String, steps: Int = 400, _ scenario: @escaping @Sendable () async throws -> String
) async {
  await everyOrder(gives: right, within: some, steps: steps, time: .passesWhenIdle, of: scenario)
}

@Test func `a page that is there is asked for once`() async {
  await check("sea at 0.0, asked at 0.0") { await Server().outcome(attempts: 3) }
  await check("sea at 0.0, asked at 0.0") { await Server().outcome(attempts: 1) }
}

@Test func `the pause is a second, and twice as long each time`() async {
  await check("sea at 1.0, asked at 0.0, 1.0") {
    await Server(ServerError.lost).outcome(attempts: 3)
  }
  await check("sea at 15.0, asked at 0.0, 1.0, 3.0, 7.0, 15.0") {
    let (busy, lost) = (ServerError.busy(retryAfter: nil), ServerError.lost)
    return await Server(lost, busy, busy, lost).outcome(attempts: 6)
  }
}

@Test func `after the last attempt its error is thrown, without a pause`() async {
  await check("busy at 3.0, asked at 0.0, 1.0, 3.0") {
    let (busy, lost) = (ServerError.busy(retryAfter: nil), ServerError.lost)
    return await Server(lost, lost, busy).outcome(attempts: 3)
  }
  await check("lost at 0.0, asked at 0.0") {
    await Server(ServerError.lost).outcome(attempts: 1)
  }
}

@Test func `a server that says for how long is left alone for so long`() async {
  await check("sea at 0.25, asked at 0.0, 0.25") {
    await Server(ServerError.busy(retryAfter: .milliseconds(250))).outcome(attempts: 3)
  }
  await check("sea at 10.0, asked at 0.0, 7.0, 9.0, 9.5, 10.0") {
    let (lost, half) = (ServerError.lost, ServerError.busy(retryAfter: .milliseconds(500)))
    return await Server(ServerError.busy(retryAfter: .seconds(7)), lost, half, half)
      .outcome(attempts: 5)
  }
}

@Test func `what does not pass is thrown at once`() async {
  await check("not found at 0.0, asked at 0.0") {
    await Server(ServerError.notFound).outcome(attempts: 3)
  }
  await check("not found at 1.0, asked at 0.0, 1.0") {
    await Server(ServerError.lost, ServerError.notFound).outcome(attempts: 3)
  }
  await check("CancellationError at 0.0, asked at 0.0") {
    await Server(CancellationError()).outcome(attempts: 3)
  }
}

@Test func `a caller that is cancelled in a pause is gone, and the server is not asked again`()
  async
{
  await check("CancellationError at 2.0, asked at 0.0, 1.0") {
    let lost = ServerError.lost
    return try await Server(lost, lost, lost).outcome(attempts: 5, cancelledAfter: .seconds(2))
  }
  await check("CancellationError at 2.0, asked at 0.0") {
    try await Server(ServerError.busy(retryAfter: .seconds(90)))
      .outcome(attempts: 5, cancelledAfter: .seconds(2))
  }
}

@Test func `so is one that is cancelled while the server works`() async {
  await check("CancellationError at 2.0, asked at 0.0") {
    try await Server(delay: .seconds(5)).outcome(attempts: 5, cancelledAfter: .seconds(2))
  }
  await check("CancellationError at 2.0, asked at 0.0") {
    try await Server(delay: .seconds(5)).outcome(attempts: 1, cancelledAfter: .seconds(2))
  }
}
