import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Cache: Sendable {
  init(download: @escaping @Sendable (_ city: String) async throws -> String)
  func forecast(for city: String) async throws -> String
}

extension Forecasts: Cache {}

/// A weather service that counts what it is asked, and whose first answers fail if you like.
private actor Service {
  struct Busy: Error {}

  private(set) var calls: [String: Int] = [:]
  private var failures: Int

  init(failures: Int = 0) { self.failures = failures }

  func download(_ city: String) throws -> String {
    calls[city, default: 0] += 1
    if failures > 0 {
      failures -= 1
      throw Busy()
    }
    return "sun in \(city)"
  }
}

/// What a caller comes to.
@Sendable private func answer(_ cache: any Cache, _ city: String) async -> String {
  do {
    return try await cache.forecast(for: city)
  } catch is Service.Busy {
    return "busy"
  } catch {
    return "\(error)"
  }
}

/// What comes of it when some ask at the same time, and how often the service was asked.
@Sendable private func outcome(of cities: String...) async -> String {
  let service = Service()
  let cache: any Cache = Forecasts { try await service.download($0) }
  let answers = await withTaskGroup { group in
    for (name, city) in zip(["A", "B", "C"], cities) {
      group.addTask(name: name) { await answer(cache, city) }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  let calls = await service.calls.sorted { $0.key < $1.key }
  return "\(answers.sorted().joined(separator: ", ")); "
    + calls.map { "\($0.key) \($0.value)×" }.joined(separator: ", ")
}

/// What two cities are asked for has more orders than there is time for.
private let some = Orders.upTo(classes: 260, preempted: 60, drawn: 40)

@Test func `callers that ask while a download runs share it`() async {
  await everyOrder(gives: "sun in Oslo, sun in Oslo; Oslo 1×", within: some) {
    await outcome(of: "Oslo", "Oslo")
  }
}

@Test func `so do three`() async {
  await everyOrder(gives: "sun in Oslo, sun in Oslo, sun in Oslo; Oslo 1×", within: some) {
    await outcome(of: "Oslo", "Oslo", "Oslo")
  }
}

@Test func `each city is downloaded once`() async {
  await everyOrder(gives: "sun in Oslo, sun in Oslo, sun in Rome; Oslo 1×, Rome 1×", within: some) {
    await outcome(of: "Oslo", "Rome", "Oslo")
  }
}

@Test func `a caller that asks later gets what was downloaded`() async {
  await everyOrder(
    gives: "sun in Oslo, sun in Oslo, sun in Rome, sun in Oslo; 1×, 1×", within: some
  ) {
    let service = Service()
    let cache: any Cache = Forecasts { try await service.download($0) }
    var answers: [String] = []
    for city in ["Oslo", "Oslo", "Rome", "Oslo"] { answers.append(await answer(cache, city)) }
    let calls = await service.calls
    return "\(answers.joined(separator: ", ")); \(calls["Oslo"] ?? 0)×, \(calls["Rome"] ?? 0)×"
  }
}

@Test func `a failure is not kept, and the next caller downloads again, once`() async {
  await everyOrder(gives: "A sun in Oslo, B sun in Oslo; Oslo 2×", within: some) {
    let service = Service(failures: 1)
    let cache: any Cache = Forecasts { try await service.download($0) }
    @Sendable func second() async -> String {
      _ = await answer(cache, "Oslo")
      return await answer(cache, "Oslo")
    }
    let one = Task(name: "A") { await second() }
    let two = Task(name: "B") { await second() }
    return await "A \(one.value), B \(two.value); Oslo \(service.calls["Oslo"] ?? 0)×"
  }
}

@Test
func
  `nor is a second failure kept`()
  async
{
  await everyOrder(gives: "busy, busy, sun in Oslo, sun in Oslo; 3×", within: some) {
    let service = Service(failures: 2)
    let cache: any Cache = Forecasts { try await service.download($0) }
    var answers: [String] = []
    for _ in 1...4 { answers.append(await answer(cache, "Oslo")) }
    return "\(answers.joined(separator: ", ")); \(await service.calls["Oslo"] ?? 0)×"
  }
}

@Test func `nor does a failure forget what runs for another city`() async {
  await everyOrder(gives: "sun in Oslo, sun in Oslo; 1×", within: some) {
    let service = Service()
    let cache: any Cache = Forecasts { city in
      if city == "Rome" { throw Service.Busy() }
      return try await service.download(city)
    }
    async let rome = answer(cache, "Rome")
    async let first = answer(cache, "Oslo")
    async let second = answer(cache, "Oslo")
    let oslo = await "\(first), \(second)"
    _ = await rome
    return "\(oslo); \(await service.calls["Oslo"] ?? 0)×"
  }
}

@Test func `a city does not wait for another`() async {
  await everyOrder(gives: "sun in Oslo, sun in Rome", within: some) {
    let (untilRomeIsAsked, gate) = AsyncStream.makeStream(of: Void.self)
    let cache: any Cache = Forecasts { city in
      if city == "Rome" { gate.finish() } else { for await _ in untilRomeIsAsked {} }
      return "sun in \(city)"
    }
    async let rome = answer(cache, "Rome")
    let oslo = await answer(cache, "Oslo")
    return "\(oslo), \(await rome)"
  }
}
