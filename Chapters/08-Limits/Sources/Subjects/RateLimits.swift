import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let threeCallers = Subject(
    "three-callers",
    asks: "Three call at once, and one may start each 100 ms. When do they start?",
    right: .allowed("0, 100, 200 ms"),
    implementations: [
      .before("serial queue") { _ in
        let limit = Queued.RateLimit(every: .milliseconds(100), on: DispatchQueue(label: "rate"))
        return await starts { await result { limit.start { [completion = $0] in completion(()) } } }
      }
      .code("RateLimitSerialQueue.swift", "queue.asyncAfter").inVirtualTime,
      .after(
        "looked at, awaited, noted",
        .surprising("0, 100, 100 ms", "two wait for the same time")
      ) { _ in
        let limit = CheckedFirst.RateLimit(every: interval)
        return await starts { try? await limit.start() }
      }
      .code("RateLimitCheckedFirst.swift", "if let last").alwaysWrong.inVirtualTime,
      .after("a time taken before the wait") { _ in
        let limit = Reserved.RateLimit(every: interval)
        return await starts { try? await limit.start() }
      }
      .code("RateLimitReserved.swift", "next = due + interval").inVirtualTime,
      .after("one at a time waits") { _ in
        let limit = RateLimit(every: interval)
        return await starts { try? await limit.start() }
      }
      .code("RateLimitActor.swift", "try await turn.withPermit").inVirtualTime,
    ])

  static let cancelledCaller = Subject(
    "cancelled-caller",
    asks: "One starts each 100 ms. The second caller is cancelled at 50 ms. When does the third?",
    right: .allowed("at 100 ms"),
    implementations: [
      .after(
        "a time taken before the wait",
        .surprising("at 200 ms", "the time of the second is nobody's")
      ) { _ in
        let limit = Reserved.RateLimit(every: interval)
        return await third { try await limit.start() }
      }
      .code("RateLimitReserved.swift", "next = due + interval").alwaysWrong.inVirtualTime,
      .after("one at a time waits") { _ in
        let limit = RateLimit(every: interval)
        return await third { try await limit.start() }
      }
      .code("RateLimitActor.swift", "next = timeline").inVirtualTime,
    ])
}

private let interval = Duration.milliseconds(100)

extension Implementation {
  fileprivate var inVirtualTime: Implementation {
    whereWorkTakesNoTime.notPlayed("real time is not exact")
      .onlyReduced("a hundred schedules more take long, and show nothing else")
  }
}

private func starts(_ start: @escaping @Sendable () async -> Void) async -> String {
  let begin = ContinuousClock.now
  let times = await withTaskGroup(of: Int.self) { group in
    for name in ["A", "B", "C"] {
      group.addTask(name: name) {
        await start()
        return milliseconds(since: begin)
      }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  return times.sorted().map(String.init).joined(separator: ", ") + " ms"
}

/// The first starts at once, the second waits from 10 ms on, and the third from 20 ms on.
private func third(_ start: @escaping @Sendable () async throws -> Void) async -> String {
  let begin = ContinuousClock.now
  try? await start()
  try? await Task.sleep(for: .milliseconds(10))
  let second = Task(name: "second") { try await start() }
  try? await Task.sleep(for: .milliseconds(10))
  let third = Task(name: "third") {
    try await start()
    return milliseconds(since: begin)
  }
  try? await Task.sleep(for: .milliseconds(30))
  second.cancel()
  _ = await second.result
  return "at \((try? await third.value) ?? -1) ms"
}

private func milliseconds(since begin: ContinuousClock.Instant) -> Int {
  Int((ContinuousClock.now - begin) / .milliseconds(1))
}
