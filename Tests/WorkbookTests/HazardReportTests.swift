import Foundation
import Testing

@testable import Workbook

@Suite struct HazardReportTests {
  @Test func `what the code returned is the outcome, the rest are steps`() {
    let report = report(.exited(0), output: "A reads\nB writes\noutcome: 1 lost\n")
    #expect(report.outcome == "1 lost")
    #expect(report.steps == ["A reads", "B writes"])
  }

  @Test func `a child that ended otherwise has its ending as outcome`() {
    #expect(report(.exited(0)).outcome == "exit status 0")
    #expect(report(.exited(3), output: "outcome: ok\n").outcome == "exit status 3")
    #expect(report(.signaled(SIGILL)).outcome == "trap")
    #expect(report(.signaled(SIGTRAP)).outcome == "trap")
    #expect(report(.signaled(SIGILL), errors: "a: Fatal error: b\n").outcome == "fatal error")
    #expect(report(.signaled(SIGSEGV)).outcome == "killed by SIGSEGV")
    #expect(report(.hung).outcome == "hang")
    #expect(report(.hung).hangsAt == nil)
  }

  @Test func `the status of the sanitizer is no failure, if it has a report`() {
    let summary = "SUMMARY: ThreadSanitizer: data race /a/b/Counter.swift:9:11 in increment\n"
    let reported = report(.exited(66), output: "outcome: 1 lost\n", errors: summary)
    #expect(reported.outcome == "1 lost")
    #expect(reported.races == ["Counter.swift:9:11"])
    #expect(report(.exited(66), output: "outcome: 1 lost\n").outcome == "exit status 66")
  }

  @Test func `both kinds of race that the sanitizer knows count`() {
    let summary = "SUMMARY: ThreadSanitizer: Swift access race /a/Account.swift in withdraw\n"
    #expect(report(.exited(66), errors: summary).races == ["Account.swift"])
    let leak = "SUMMARY: ThreadSanitizer: thread leak /a/Account.swift in withdraw\n"
    #expect(report(.exited(66), errors: leak).races.isEmpty)
  }

  @Test func `the parent says how a child ended that did not return`() {
    let hazard = Hazard("test/hazard") { _ in "" }
    #expect(
      report(.signaled(SIGILL), errors: "x: Fatal error: no\n").remarks(for: hazard)
        == ["the child was ended by SIGILL", "x: Fatal error: no"])
    #expect(report(.exited(0)).remarks(for: hazard).isEmpty)
  }

  private func report(
    _ ending: ChildProcess.Ending, output: String = "", errors: String = ""
  ) -> HazardReport {
    HazardReport(ChildProcess.Result(ending: ending, output: output, errors: errors))
  }
}
