import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

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
) async -> String {
  let resolver: any Imports = Resolver { imports[$0] ?? [] }
  async let one = answer(resolver, first)
  async let two = answer(resolver, second)
  return await "\(one); \(two)"
}

private let some = Orders.upTo(classes: 200, preempted: 120, drawn: 60)

@Test func `without a cycle all that is needed is found`() async {
  await everyOrder(gives: "Net; ", within: some) {
    await answers(["App": ["Net"]], "App", "Net")
  }
}

@Test func `so it is if a module names an import twice`() async {
  await everyOrder(gives: "Log Net", within: some) {
    let resolver: any Imports = Resolver { ["App": ["Net", "Log", "Net"]][$0] ?? [] }
    return await answer(resolver, "App")
  }
}

@Test func `a module that is in a cycle with another is refused`() async {
  await everyOrder(gives: "cycle", within: some) {
    let resolver: any Imports = Resolver { ["A": ["B"], "B": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
}

@Test func `a module that imports itself is refused`() async {
  await everyOrder(gives: "cycle", within: some) {
    let resolver: any Imports = Resolver { ["A": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
}

@Test func `a cycle of three is refused`() async {
  await everyOrder(gives: "cycle", within: some) {
    let resolver: any Imports = Resolver { ["A": ["B"], "B": ["C"], "C": ["A"]][$0] ?? [] }
    return await answer(resolver, "A")
  }
}

@Test func `two that ask at both ends of a cycle are both refused`() async {
  await everyOrder(gives: "cycle; cycle", within: some) {
    await answers(["A": ["B"], "B": ["A"]], "A", "B")
  }
}

@Test func `so they are if each needs another module first`() async {
  await everyOrder(gives: "cycle; cycle", within: some) {
    await answers(["A": ["Net", "B"], "B": ["Log", "A"]], "A", "B")
  }
}

@Test func `a module that needs one in a cycle is refused, too`() async {
  await everyOrder(gives: "cycle", within: some) {
    let resolver: any Imports = Resolver { ["App": ["A"], "A": ["B"], "B": ["A"]][$0] ?? [] }
    return await answer(resolver, "App")
  }
}

@Test func `a module that two others import is found, and read once`() async {
  await everyOrder(gives: "Model Net; Net read 1×", within: some) {
    let reads = Mutex(0)
    let resolver: any Imports = Resolver { module in
      if module == "Net" { reads.withLock { $0 += 1 } }
      return ["App": ["Model", "Net"], "Model": ["Net"]][module] ?? []
    }
    return "\(await answer(resolver, "App")); Net read \(reads.withLock(\.self))×"
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
  await everyOrder(gives: 1, within: some) { await reads(whileAsking: "Net", "Net") }
}

@Test func `so it is when a third asks for another`() async {
  await everyOrder(gives: 1, within: some) { await reads(whileAsking: "App", "Net", "Net") }
}

@Test func `two that ask for modules in one chain both get their answers`() async {
  await everyOrder(gives: "Model Net; Net", within: some) {
    await answers(["App": ["Model"], "Model": ["Net"]], "App", "Model")
  }
}

@Test func `three that ask in a cycle of three are all refused`() async {
  await everyOrder(gives: "cycle; cycle; cycle", within: some) {
    let imports = ["A": ["B"], "B": ["C"], "C": ["A"]]
    let resolver: any Imports = Resolver { imports[$0] ?? [] }
    async let one = answer(resolver, "A")
    async let two = answer(resolver, "B")
    async let three = answer(resolver, "C")
    return await "\(one); \(two); \(three)"
  }
}

@Test func `a module beside a cycle is found while the cycle is refused`() async {
  await everyOrder(gives: "cycle; Log", within: some) {
    await answers(["A": ["B", "Net"], "B": ["A"], "Net": ["Log"]], "A", "Net")
  }
}

@Test func `modules beside a cycle are found when the cycle has been refused`() async {
  await everyOrder(gives: "cycle; Log; Log Net", within: some) {
    let imports = ["A": ["Net", "B"], "B": ["App", "A"], "App": ["Net"], "Net": ["Log"]]
    let resolver: any Imports = Resolver { imports[$0] ?? [] }
    return await "\(answer(resolver, "A")); \(answer(resolver, "Net")); \(answer(resolver, "App"))"
  }
}

@Test func `a module is read once, also by a request that comes later or after a cycle`() async {
  await everyOrder(gives: "Net; Net; cycle; cycle; reads: A 1, App 1, Net 1", within: some) {
    let reads = Mutex<[String: Int]>([:])
    let resolver: any Imports = Resolver { module in
      reads.withLock { $0[module, default: 0] += 1 }
      return ["App": ["Net"], "A": ["A"]][module] ?? []
    }
    var texts: [String] = []
    for module in ["App", "App", "A", "A"] { texts.append(await answer(resolver, module)) }
    let counts = reads.withLock(\.self).sorted { $0.key < $1.key }
    return "\(texts.joined(separator: "; ")); reads: "
      + counts.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
  }
}
