import Foundation
import Testing

@testable import DeadlockDetection

/// What the manual shows is compiled in `Manual.swift`, and what it says is printed is printed.
@Suite(.timeLimit(.minutes(30))) struct ManualTests {
  private let manual: String

  init() throws {
    let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let page = "Sources/DeadlockDetection/DeadlockDetection.docc/DeadlockDetection.md"
    manual = try String(contentsOf: package.appending(path: page), encoding: .utf8)
  }

  @Test func `every swift block is code that is compiled`() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Manual.swift")
    let code = Self.trimmed(try String(contentsOf: file, encoding: .utf8))
    let blocks = manual.components(separatedBy: "\n```").filter { $0.hasPrefix("swift\n") }
    #expect(blocks.count > 5)
    for block in blocks {
      let isCompiled = code.contains("\n" + Self.trimmed(String(block.dropFirst(6))) + "\n")
      #expect(isCompiled, "\(block)")
    }
  }

  @Test func `payer and auditor, each with what the other wants`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let (told, paying, auditing) = (Gate(), Gate(), Gate())
      tell { told.open() }
      let bank = Bank()
      _ = Worker("payer") {
        bank.pay {
          paying.open()
          auditing.pass()
        }
      }
      _ = Worker("auditor") {
        bank.audit {
          auditing.open()
          paying.pass()
          DeadlockDetector.shared.untilWaiting(1)
        }
      }
      await onThread { told.pass() }
    }
    try expectShown(result)
  }

  @Test func `payer and auditor, one after the other`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await onThread {
        let bank = Bank()
        Worker("payer") { bank.pay {} }.join()
        Worker("auditor") { bank.audit {} }.join()
      }
    }
    try expectShown(result)
  }

  @Test func `a block that waits behind the one who waits for it`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let told = Gate()
      tell { told.open() }
      _ = Worker("user") { Screen().refresh() }
      await onThread { told.pass() }
    }
    try expectShown(result)
  }

  @Test func `a unit that its taker takes again`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let told = Gate()
      tell { told.open() }
      _ = Worker("importer") { importTwice() }
      await onThread { told.pass() }
    }
    try expectShown(result)
  }

  @Test func `an answer that nobody keeps`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      await #expect(throws: DeadlockError.self) {
        try await Task(name: "asker") { try await answer() }.value
      }
    }
    try expectShown(result)
  }

  @Test func `what else the manual shows does what it says`() async {
    #expect(await page() == "page 1")
    #expect(await answerOfWorker() == 42)
    let isMoved = await onThread {
      let (a, b) = (WatchedLock("a"), WatchedLock("b"))
      return move(from: a, to: b)
    }
    #expect(isMoved)
    #expect(accounts().count == 100)
    listWaiting()
  }

  private func expectShown(_ result: ExitTest.Result?) throws {
    let printed = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
      // The number of a thread without a name.
      .replacing(/\(thread \d+/, with: "(thread 4711")
    let isShown = manual.contains("```\n\(printed)```\n")
    #expect(isShown, "\(printed)")
  }

  private static func trimmed(_ text: String) -> String {
    text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }.joined(separator: "\n")
  }
}

/// Has the shared detector print, as it does anyway, and say so.
private func tell(_ body: @escaping @Sendable () -> Void) {
  DeadlockDetector.shared.handle { finding in
    defer { body() }
    return DeadlockDetector.printing(finding)
  }
}
