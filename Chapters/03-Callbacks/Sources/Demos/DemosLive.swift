import Foundation
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Demo {
  static let frozenScreen = Demo(
    "frozen-screen",
    asks: "The main thread asks a server that answers when the screen has been drawn. Is it drawn?",
    sides: [
      .hazard(
        .before, "a wait for the answer", .waitOnMain,
        .surprising("no answer in a second", "the thread that waits is the one that draws"),
        .forbidden("Ada, after the drawing")
      ).code("PersonServiceSemaphore.swift", "cancellation.begun"),
      .before(
        "a request with a completion handler",
        .allowed("Ada, after the drawing", "the session waits on a thread of its own"),
        .forbidden("no answer in a second")
      ) { _ in
        try await asking { service in
          await result { @Sendable completion in _ = service.person(1, then: completion) }
        }
      }
      .code("SessionService.swift", "task.resume()"),
      .after("await", .allowed("Ada, after the drawing"), .forbidden("no answer in a second")) {
        _ in
        try await asking { service in
          do { return .success(try await service.person(1)) } catch { return .failure(error) }
        }
      }
      .code("PersonServiceAsync.swift", "try await reply.value"),
    ])

  static let waitingForLow = Demo(
    "waiting-for-low",
    asks: "A task of high priority waits for what a low one makes. How urgent is the low one then?",
    sides: [
      .before(
        "resumed by a callback",
        .surprising("low", "nobody knows who will resume a continuation"),
        .forbidden("high")
      ) { _ in
        let reply = Async.Reply<TaskPriority>()
        return await urgency { work in
          Task(priority: .low) { reply.take(.success(await work())) }
          return { try await reply.value }
        }
      }
      .code("ReplyMutex.swift", "for waiter in waiters"),
      .after(
        "await the task", .allowed("high", "a task that is awaited is raised to its waiter"),
        .forbidden("low")
      ) { _ in
        await urgency { work in
          let task = Task(priority: .low) { await work() }
          return { await task.value }
        }
      }
      .code("DemosLive.swift", "let task = Task(priority: .low)"),
    ])
}

// MARK: A server that waits for the screen

extension Hazard {
  fileprivate static let waitOnMain = Hazard("callbacks/wait-on-main") { transcript in
    let (isDrawn, isUp, isOver) = (Gate(), Slot<URL>(), Gate())
    Task.detached {
      try await serving(whenDrawn: isDrawn) { server in
        isUp.fill(server.url(of: ""))
        await isOver.wait()
      }
    }
    let url = isUp.wait()
    DispatchQueue.main.async { isDrawn.open() }
    let service = SessionService(server: url, session: .timing(out: 1))
    do {
      _ = try service.waitForPerson(1, Cancellation())
      return "Ada, after the drawing"
    } catch {
      return "no answer in a second"
    }
  }
}

/// What one thread fills, and another one waits for.
private final class Slot<Value: Sendable>: @unchecked Sendable {
  // Sendable: `value` is written once, before the signal, and read after it.
  private let isFilled = DispatchSemaphore(value: 0)
  private var value: Value?

  func fill(_ value: Value) {
    self.value = value
    isFilled.signal()
  }

  func wait() -> Value {
    isFilled.wait()
    return value!
  }
}

private func serving<R: Sendable>(
  whenDrawn isDrawn: Gate, _ body: (HTTPServer) async throws -> R
) async throws -> R {
  try await HTTPServer.run { _ in
    await isDrawn.wait()
    return .status(200, body: (try? JSONEncoder().encode(Person.ada)) ?? Data())
  } during: { server in
    try await body(server)
  }
}

/// Asks on the main thread, which draws when it has asked.
private func asking(
  _ ask: @escaping @MainActor @Sendable (SessionService) async -> Result<Person?, any Error>
) async throws -> String {
  let isDrawn = Gate()
  return try await serving(whenDrawn: isDrawn) { server in
    let service = SessionService(server: server.url(of: ""), session: .patient)
    let answer = Task { @MainActor in
      DispatchQueue.main.async { isDrawn.open() }
      return await ask(service)
    }
    return "\(told(await answer.value)), after the drawing"
  }
}

extension URLSession {
  /// A session for a server of this process.
  static var patient: URLSession { timing(out: HTTPServer.patience) }

  /// - Parameter silence: For how long a server may send nothing, in seconds.
  fileprivate static func timing(out silence: TimeInterval) -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = silence
    return URLSession(configuration: configuration)
  }
}

// MARK: A waiter that is urgent

/// What priority work has when a task of high priority waits for it.
///
/// - Parameter begin: Begins the work, and returns what waits for it.
private func urgency(
  _ begin: (_ work: @escaping @Sendable () async -> TaskPriority) -> Wait
) async -> String {
  let isAwaited = Gate()
  let wait = begin {
    await isAwaited.wait()
    return Task.currentPriority
  }
  // An immediate task runs here until it waits.
  let high = Task.immediateDetached(priority: .high) { try await wait() }
  isAwaited.open()
  switch await high.result {
  case .success(.low): return "low"
  case .success(.high): return "high"
  case .success(let other): return "\(other)"
  case .failure(let error): return "\(error)"
  }
}

private typealias Wait = @Sendable () async throws -> TaskPriority
