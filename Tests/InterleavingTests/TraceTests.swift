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
      Trace.Step(task: 0, actor: nil, notes: ["starts A", "waits for its child task A"]),
      Trace.Step(task: 1, actor: nil, notes: ["asks for Account"]),
      Trace.Step(task: 1, actor: "Account", notes: ["balance: 100 → 20"]),
      Trace.Step(task: 2, actor: nil, notes: []),
      Trace.Step(task: 0, actor: nil, notes: ["ends"]),
    ])

  @Test func `one column a task, the steps of a turn together`() {
    #expect(
      trace.text(width: 80) == """
           scenario             A                  B & C
        1  starts A
           waits for its child
           task A
        2                       on Account
                                balance: 100 → 20
        3                                          goes on
        4  ends

        """)
    #expect(trace.switches == 3)
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
    let parser = XMLParser(data: Data(trace.svg.utf8))
    #expect(parser.parse())
    #expect(trace.svg.contains("B &amp; C"))
    #expect(trace.svg.components(separatedBy: "<rect class=").count - 1 == 4)
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
