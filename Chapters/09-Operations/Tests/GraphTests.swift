import Synchronization
import Testing
import Workbook

@testable import Operations

/// The contract of a graph of work, and what only its port has.
@Suite(.timeLimit(.minutes(30))) struct GraphTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run:
      @Sendable (
        _ pieces: [(name: String, needs: [String])], _ width: Int,
        _ work: @escaping @Sendable (String) -> Void
      ) async throws -> Void
  }

  static let forms = [
    Form(testDescription: "operations") { pieces, width, work in
      let graph = Depending.Graph()
      for (name, needs) in pieces { graph.add(name, after: needs) { work(name) } }
      await blocking { graph.run(width: width) }
    },
    Form(testDescription: "task group") { pieces, width, work in
      var graph = TaskGrouped.Graph()
      for (name, needs) in pieces { graph.add(name, after: Set(needs)) { work(name) } }
      let endings = try await graph.run(width: width)
      #expect(endings.count == pieces.count)
    },
  ]

  @Test(arguments: forms, [1, 2, 8])
  func `a piece begins when all that it needs has ended, and no more run at once than may`(
    _ form: Form, _ width: Int
  ) async throws {
    let pieces = [
      ("photo", []), ("large", ["photo"]), ("small", ["photo"]), ("words", []),
      ("page", ["large", "small", "words"]), ("feed", ["page"]),
    ]
    let log = Mutex((steps: [String](), running: 0, most: 0))
    try await form.run(pieces.map { ($0.0, $0.1) }, width) { name in
      log.withLock {
        $0.steps.append("begin \(name)")
        $0.running += 1
        $0.most = max($0.most, $0.running)
      }
      log.withLock {
        $0.running -= 1
        $0.steps.append("end \(name)")
      }
    }
    let steps = log.withLock(\.steps)
    #expect(steps.count == 12)
    let most = log.withLock(\.most)
    #expect(most <= width)
    for (name, needs) in pieces {
      for need in needs {
        #expect(steps.firstIndex(of: "end \(need)")! < steps.firstIndex(of: "begin \(name)")!)
      }
    }
  }

  @Test func `a cycle is refused by its names, before anything has begun`() async {
    let log = Transcript()
    var graph = TaskGrouped.Graph()
    graph.add("words") { log.say("words") }
    graph.add("photos", after: ["token"]) { log.say("photos") }
    graph.add("token", after: ["log", "words"]) { log.say("token") }
    graph.add("log", after: ["photos"]) { log.say("log") }
    await #expect(throws: GraphError.cycle(["photos", "token", "log"])) {
      try await graph.run(width: 2)
    }
    #expect(log.steps.isEmpty)
  }

  @Test func `a piece that needs itself is a cycle of one`() async {
    var graph = TaskGrouped.Graph()
    graph.add("page", after: ["page"]) {}
    await #expect(throws: GraphError.cycle(["page"])) { try await graph.run(width: 1) }
  }

  @Test func `an unknown name and a name that comes twice are refused`() async {
    var unknown = TaskGrouped.Graph()
    unknown.add("page", after: ["photo"]) {}
    await #expect(throws: GraphError.unknown("photo", neededBy: "page")) {
      try await unknown.run(width: 1)
    }
    var doubled = TaskGrouped.Graph()
    doubled.add("page") {}
    doubled.add("page") {}
    await #expect(throws: GraphError.doubled("page")) { try await doubled.run(width: 1) }
  }

  @Test func `what needs a piece that failed does not begin, and the rest does`() async throws {
    struct Failure: Error {}
    let log = Transcript()
    var graph = TaskGrouped.Graph()
    graph.add("large") { throw Failure() }
    graph.add("page", after: ["large"]) { log.say("page") }
    graph.add("feed", after: ["page", "words"]) { log.say("feed") }
    graph.add("words") { log.say("words") }
    let endings = try await graph.run(width: 2)
    #expect(log.steps == ["words"])
    #expect(
      endings.mapValues(short) == [
        "large": "failed", "page": "skipped because of large",
        "feed": "skipped because of large", "words": "done",
      ])
  }

  @Test func `a caller that is cancelled begins nothing more, and what runs is cancelled`()
    async throws
  {
    let (begun, gate) = (Gate(), Gate())
    var graph = TaskGrouped.Graph()
    graph.add("large") {
      begun.open()
      await gate.wait()
      try Task.checkCancellation()
    }
    graph.add("words") {}
    graph.add("page", after: ["large"]) {}
    let run = Task { [graph] in try await graph.run(width: 1) }
    await begun.wait()
    run.cancel()
    gate.open()
    #expect(
      try await run.value.mapValues(short) == [
        "large": "failed", "page": "skipped because of large", "words": "not begun",
      ])
  }

  @Test func `a chain of 100,000 pieces uses no stack`() async throws {
    let pieces = (0..<100_000).map { ("\($0)", Set($0 == 0 ? [] : ["\($0 - 1)"])) }
    var plan = try GraphPlan(pieces.map { (name: $0.0, needs: $0.1) })
    var count = 0
    while let name = plan.begin() {
      plan.end(name, throwing: nil)
      count += 1
    }
    #expect(count == 100_000)
  }
}

func short(_ ending: GraphEnding) -> String {
  switch ending {
  case .done: "done"
  case .failed: "failed"
  case .skipped(let culprit): "skipped because of \(culprit)"
  case .notBegun: "not begun"
  }
}
