import Interleaving
import InterleavingTesting
import Synchronization
import Testing

/// What the check uses.
private protocol Imports: Sendable {
  init(_ source: @escaping Source)
  func needs(of module: String) async throws -> Set<String>
}

extension Resolver: Imports {}

/// What a request comes to: the modules in order, or `cycle`.
@Sendable private func answer(_ resolver: any Imports, _ module: String) async -> String {
  do {
    return try await resolver.needs(of: module).sorted().joined(separator: " ")
  } catch { return "cycle" }
}

/// What two come to who ask at the same time.
@Sendable private func answers(
  _ imports: [String: [String]], _ first: String, _ second: String
) async -> [String] {
  let resolver: any Imports = Resolver { imports[$0] ?? [] }
  async let one = answer(resolver, first)
  async let two = answer(resolver, second)
  return await [one, two]
}

/// Checks the outcome under every order with two preemptions at most. An answer that begins many tasks has too many
/// of them: then it is the first 1,000, and 300 that are drawn, the same each time.
private func expect<Outcome: Hashable & Sendable>(
  _ right: Outcome, of scenario: @escaping @Sendable () async -> Outcome
) async {
  for (strategy, limit) in [
    (Strategy.preemptionBounded(2), 1_000), (.pct(seed: 1, depth: 3), 300),
  ] {
    let exploration = await explore(
      strategy, limit: limit, stopsAtFailure: true, steps: 200, allowing: [right].contains,
      scenario: scenario)
    if exploration.failures.isEmpty, exploration.completeness == .scheduleLimit(limit) { continue }
    return exploration.expectNoFailures()
  }
}

@Test func `without a cycle all that is needed is found`() async {
  await expect(["Net", ""]) {
    await answers(["App": ["Net"]], "App", "Net")
  }
}

@Test func `a module that is in a cycle with another is refused`() async {
  await expect("cycle") {
    let resolver: any Imports = Resolver { ["A": ["B"], "B": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
}

@Test func `a module that imports itself is refused`() async {
  await expect("cycle") {
    let resolver: any Imports = Resolver { ["A": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
}

@Test func `a cycle of three is refused`() async {
  await expect("cycle") {
    let resolver: any Imports = Resolver { ["A": ["B"], "B": ["C"], "C": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
}

@Test func `two who ask at both ends of a cycle are both refused`() async {
  await expect(["cycle", "cycle"]) {
    await answers(["A": ["B"], "B": ["A"]], "A", "B")
  }
}

@Test func `a module that needs one in a cycle is refused, too`() async {
  await expect("cycle") {
    let resolver: any Imports = Resolver { ["App": ["A"], "A": ["B"], "B": ["A"]][$0] ?? [] }
    return await answer(resolver, "App")
  }
}

@Test func `a module that two others import is found, and read once`() async {
  await expect(["Model Net", "Net 1"]) {
    let reads = Mutex(0)
    let resolver: any Imports = Resolver { module in
      if module == "Net" { reads.withLock { $0 += 1 } }
      return ["App": ["Model", "Net"], "Model": ["Net"]][module] ?? []
    }
    return [await answer(resolver, "App"), "Net \(reads.withLock(\.self))"]
  }
}

/// How often Net is read while some ask at the same time.
@Sendable private func reads(whileAsking modules: String...) async -> Int {
  let reads = Mutex(0)
  let resolver: any Imports = Resolver { module in
    if module == "Net" { reads.withLock { $0 += 1 } }
    return []
  }
  await withDiscardingTaskGroup { group in
    for module in modules { group.addTask { _ = await answer(resolver, module) } }
  }
  return reads.withLock(\.self)
}

@Test func `a module that two ask for at the same time is read once`() async {
  await expect(1) { await reads(whileAsking: "Net", "Net") }
}

@Test func `so it is when a third asks for another`() async {
  await expect(1) { await reads(whileAsking: "App", "Net", "Net") }
}
