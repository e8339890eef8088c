import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Cache: Sendable {
  init(download: @escaping @Sendable (_ city: String) async throws -> String)
  func forecast(for city: String) async throws -> String
}

extension Forecasts: Cache {}

/// A weather service that counts what it is asked, and whose first answers fail if you like.
private actor Service {
  struct Busy: Error {}

  private(set) var calls = 0
  private var failures: Int

  init(failures: Int = 0) { self.failures = failures }

  func download(_ city: String) throws -> String {
    calls += 1
    if failures > 0 {
      failures -= 1
      throw Busy()
    }
    return "sun in \(city)"
  }
}

private struct Result: Hashable {
  let calls: Int
  let forecasts: [String]
}

@Test func `whoever asks while a download runs shares it`() async {
  let right = Result(calls: 1, forecasts: ["sun in Oslo", "sun in Oslo"])
  let exploration = await explore(
    .reduced(assuming: .actorIsolation), stopsAtFailure: true, steps: 80,
    allowing: [right].contains
  ) {
    let service = Service()
    let cache: any Cache = Forecasts { try await service.download($0) }
    let forecasts = try await withThrowingTaskGroup { group in
      for name in ["A", "B"] {
        group.addTask(name: name) { try await cache.forecast(for: "Oslo") }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    return Result(calls: await service.calls, forecasts: forecasts)
  }
  exploration.expectNoFailures()
}

@Test func `a failure is not kept, and whoever asks later downloads again, once`() async {
  let right = Result(calls: 2, forecasts: ["sun in Oslo"])
  let exploration = await explore(
    .reduced(assuming: .actorIsolation), stopsAtFailure: true, steps: 80,
    allowing: [right].contains
  ) {
    let service = Service(failures: 1)
    let cache: any Cache = Forecasts { try await service.download($0) }
    await withDiscardingTaskGroup { group in
      group.addTask(name: "A") {
        _ = try? await cache.forecast(for: "Oslo")
        _ = try? await cache.forecast(for: "Oslo")
      }
      group.addTask(name: "B") { _ = try? await cache.forecast(for: "Oslo") }
    }
    let last = try? await cache.forecast(for: "Oslo")
    return Result(calls: await service.calls, forecasts: [last ?? "no forecast"])
  }
  exploration.expectNoFailures()
}

@Test func `a city does not wait for another`() async {
  let right = ["sun in Oslo", "sun in Rome"]
  let exploration = await explore(
    .reduced(assuming: .actorIsolation), stopsAtFailure: true, steps: 80,
    allowing: [right].contains
  ) {
    let (untilRomeIsAsked, gate) = AsyncStream.makeStream(of: Void.self)
    let cache: any Cache = Forecasts { city in
      if city == "Rome" { gate.finish() } else { for await _ in untilRomeIsAsked {} }
      return "sun in \(city)"
    }
    async let rome = cache.forecast(for: "Rome")
    let oslo = try await cache.forecast(for: "Oslo")
    return [oslo, try await rome]
  }
  exploration.expectNoFailures()
}
