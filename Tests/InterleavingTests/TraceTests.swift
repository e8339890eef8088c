import Foundation
import Testing

@testable import Interleaving

#if canImport(FoundationXML)
  import FoundationXML
#endif

@Suite struct TraceTests {
  private let trace = Trace(
    tasks: ["scenario", "A", "B & C"],
    steps: [
      .init(
        task: 0,
        notes: [
          .init("starts A", .bookkeeping), .init("waits for its child task A", .bookkeeping),
        ]),
      .init(
        task: 1, place: .init("Account.withdraw"), notes: [.init("asks for Account", .bookkeeping)]),
      .init(
        task: 1, actor: "Account",
        place: .init("Account.withdraw", file: "Account.swift", line: 8),
        notes: [.init("leaves balance = 100", .fault), .init("resumes B & C", .handOver(to: 2))]),
      .init(task: 2, notes: []),
      .init(
        task: 1, actor: "Account",
        notes: [.init("balance: 20 → -60", .fault), .init("ends", .bookkeeping)]),
      .init(task: 0, notes: [.init("ends", .bookkeeping)]),
    ])

  @Test func `one column a task, the steps of a turn together`() {
    #expect(
      trace.text(width: 80) == """
        A and B & C are tasks. Account is an actor. Account.withdraw:8 is line 8 of
        Account.swift.

           A                              B & C
        1  Account.withdraw:8 on Account
             leaves balance = 100
             → resumes B & C
        2                                 goes on
        3  Account.withdraw:8 on Account
             balance: 20 → -60

        """)
    #expect(trace.switches == 4)
  }

  @Test func `bookkeeping is told where it is asked for`() {
    let all = trace.text(width: 80, showsAll: true)
    #expect(!trace.text(width: 80).contains("scenario"))
    for words in ["scenario", "starts A", "waits for its child", "asks for Account", "ends"] {
      #expect(all.contains(words), "\(all)")
    }
  }

  @Test func `where more tasks act than there are columns, the turns stand below each other`() {
    let many = Trace(
      tasks: (1...6).map { "worker \($0)" },
      steps: (0..<6).map { .init(task: $0, notes: [.init("does \($0)")]) })
    #expect(
      many.text(width: 60).hasSuffix(
        """
        4  worker 4  does 3
        5  worker 5  does 4
        6  worker 6  does 5

        """))
  }

  @Test func `tasks that do the same one after the other are told once`() {
    let many = Trace(
      tasks: ["scenario"] + (1...9).map { "task \($0)" },
      steps: (1...9).map {
        .init(
          task: $0, place: .init("count"),
          notes: [.init("value: read"), .init("ends", .bookkeeping)])
      })
    #expect(
      many.text(width: 60) == """
        task 1 is a task.

           task 1
        1  count
             value: read
             so do 8 more, the last of them task 9

        """)
  }

  @Test func `what went wrong is a piece of its own, in which no other words stand`() {
    let faults = trace.lines(width: 80).joined().filter { $0.style == .fault }.map(\.text)
    #expect(
      faults.map { $0.trimmingPrefix("  ") } == ["leaves balance = 100", "balance: 20 → -60"])
  }

  private static let nothing: @Sendable (String) -> Bool = { _ in false }

  @Test func `a trace tells cancelling, errors and streams`() async throws {
    enum Refusal: Error { case full }
    let exploration = await explore(allowing: Self.nothing) {
      let (stream, input) = AsyncStream.makeStream(of: Int.self)
      let reader = Task {
        for await _ in stream {}
        try Task.checkCancellation()
        throw Refusal.full
      }
      input.yield(1)
      input.finish()
      reader.cancel()
      return "\(await reader.result)"
    }
    let all = exploration.failures.compactMap { $0.trace?.text() }.joined()
    for words in [
      "cancels task 1", "throws Refusal.full", "throws CancellationError", "yields to a stream",
      "finishes a stream", "takes from a stream",
    ] {
      #expect(all.contains(words), "\(all)")
    }
  }

  @Test(arguments: [40, 60, 80, 200])
  func `no line is wider than asked for`(width: Int) {
    for line in trace.text(width: width).split(separator: "\n") { #expect(line.count <= width) }
  }

  @Test func `long names break before a word of theirs`() {
    #expect(
      "on AuditedAccountReentrantActor".wrapped(to: 20) == [
        "on", "AuditedAccount", "ReentrantActor",
      ])
    #expect("abcdefghij".wrapped(to: 4) == ["abcd", "efgh", "ij"])
  }

  @Test func `the picture is a document of its own, with every turn and name in it`() throws {
    let parser = XMLParser(data: Data(trace.svg().utf8))
    #expect(parser.parse())
    #expect(trace.svg().contains("B &amp; C"))
    #expect(trace.svg().components(separatedBy: "<rect class=").count - 1 == 3)
    #expect(trace.svg().components(separatedBy: "<path class=\"arrow\"").count - 1 == 1)
  }

  @Test func `values are described the same in every process`() {
    struct Plain { let a = 1, b = "x" }
    final class Object {}
    #expect(describe(3) == "3")
    #expect(describe("text") == "text")
    #expect(describe([1, 2]) == "2 elements")
    #expect(describe(Set<Int>()) == "empty")
    #expect(describe(Optional<Int>.none as Any) == "nil")
    #expect(describe(Optional(7) as Any) == "7")
    #expect(describe(Plain()) == "(a: 1, b: x)")
    #expect(describe(Object()) == "Object")
    #expect(describe(Task {}).hasPrefix("Task<"))
  }

  @Test func `the text of an outcome does not depend on the order of sets, wherever they are`() {
    struct Plain { let names: Set<Int> }
    let numbers = Set(10..<30)
    let text = "[" + numbers.map(String.init).sorted().joined(separator: ", ") + "]"
    #expect(canonicalText(of: numbers) == text)
    #expect(canonicalText(of: [numbers]) == "[\(text)]")
    #expect(canonicalText(of: Optional(numbers) as Any) == text)
    #expect(canonicalText(of: (1, numbers)) == "(1, \(text))")
    #expect(canonicalText(of: Plain(names: numbers)) == "Plain(names: \(text))")
    #expect(canonicalText(of: Result<Set<Int>, Divergence>.success(numbers)) == "success(\(text))")
  }
}
