import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Imports: Sendable {
  init(_ source: @escaping Source)
  func needs(of module: String) async throws -> Set<String>
}

extension Resolver: Imports {}

/// What a request comes to: the modules in order, or `circle`.
@Sendable private func answer(_ resolver: any Imports, _ module: String) async -> String {
  do {
    return try await resolver.needs(of: module).sorted().joined(separator: " ")
  } catch { return "circle" }
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

@Test func `without a circle all that is needed is found`() async {
  let right = ["Net", "Net"]
  let exploration = await explore(
    .preemptionBounded(2), stopsAtFailure: true, steps: 200, allowing: [right].contains
  ) {
    await answers(["App": ["Net"], "Model": ["Net"]], "App", "Model")
  }
  exploration.expectNoFailures()
}

@Test func `a module that is in a circle with another is refused`() async {
  let exploration = await explore(stopsAtFailure: true, steps: 200, allowing: ["circle"].contains) {
    let resolver: any Imports = Resolver { ["A": ["B"], "B": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
  exploration.expectNoFailures()
}

@Test func `a module that imports itself is refused`() async {
  let exploration = await explore(stopsAtFailure: true, steps: 200, allowing: ["circle"].contains) {
    let resolver: any Imports = Resolver { ["A": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
  exploration.expectNoFailures()
}

@Test func `a circle of three is refused`() async {
  let exploration = await explore(stopsAtFailure: true, steps: 200, allowing: ["circle"].contains) {
    let resolver: any Imports = Resolver { ["A": ["B"], "B": ["C"], "C": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
  exploration.expectNoFailures()
}

@Test func `two who ask at both ends of a circle are both refused`() async {
  let right = ["circle", "circle"]
  let exploration = await explore(
    .preemptionBounded(2), stopsAtFailure: true, steps: 200, allowing: [right].contains
  ) {
    await answers(["A": ["B"], "B": ["A"]], "A", "B")
  }
  exploration.expectNoFailures()
}

@Test func `a module that needs one in a circle is refused, too`() async {
  let exploration = await explore(stopsAtFailure: true, steps: 200, allowing: ["circle"].contains) {
    let resolver: any Imports = Resolver { ["App": ["A"], "A": ["B"], "B": ["A"]][$0] ?? [] }
    return await answer(resolver, "App")
  }
  exploration.expectNoFailures()
}

@Test func `a module that two others import is found, and read once`() async {
  let right = ["Model Net", "Net 1"]
  let exploration = await explore(stopsAtFailure: true, steps: 200, allowing: [right].contains) {
    let reads = Shared(0, "reads of Net")
    let resolver: any Imports = Resolver { module in
      if module == "Net" { reads.update { $0 += 1 } }
      return ["App": ["Model", "Net"], "Model": ["Net"]][module] ?? []
    }
    return [await answer(resolver, "App"), "Net \(reads.value)"]
  }
  exploration.expectNoFailures()
}

@Test func `a module that two ask for at the same time is read once`() async {
  let exploration = await explore(
    .preemptionBounded(2), stopsAtFailure: true, steps: 200, allowing: [1].contains
  ) {
    let reads = Shared(0, "reads of Net")
    let resolver: any Imports = Resolver { _ in
      reads.update { $0 += 1 }
      return []
    }
    async let first = answer(resolver, "Net")
    async let second = answer(resolver, "Net")
    _ = await (first, second)
    return reads.value
  }
  exploration.expectNoFailures()
}
