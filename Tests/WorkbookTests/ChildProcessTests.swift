import Foundation
import Testing

@testable import Workbook

@Suite struct ChildProcessTests {
  @Test func `a child that ends is reported with its status and what it wrote`() async throws {
    let result = try await shell("echo out; echo err >&2; exit 3")
    #expect(result.ending == .exited(3))
    #expect(result.output == "out\n")
    #expect(result.errors == "err\n")
  }

  @Test func `a child that a signal ends is reported with the signal`() async throws {
    #expect(try await shell("kill -SEGV $$").ending == .signaled(SIGSEGV))
    #expect(ChildProcess.name(ofSignal: SIGSEGV) == "SIGSEGV")
    #expect(ChildProcess.name(ofSignal: 40) == "signal 40")
  }

  @Test func `a child that said it would block, and sleeps, hangs`() async throws {
    let result = try await shell("echo 'about to block: here (File.swift:1)'; read line <&3")
    #expect(result.ending == .hung)
    let report = HazardReport(result)
    #expect(report.outcome == "hang")
    #expect(report.hangsAt == "here (File.swift:1)")
  }

  @Test func `a child that computes after such words does not hang`() async throws {
    let result = try await shell(
      "echo 'about to block: not really'; i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done")
    #expect(result.ending == .exited(0))
  }

  @Test func `a child that is held up does not hang`() async throws {
    // Stopped, as a busy machine would: no CPU time passes, and it does not sleep.
    let result = try await shell(
      "echo 'about to block: not really'; kill -STOP $$", limit: .seconds(1))
    #expect(result.ending == .outOfTime)
  }

  @Test func `a child that never ends is out of time`() async throws {
    let result = try await shell("while :; do :; done", limit: .milliseconds(100))
    #expect(result.ending == .outOfTime)
    #expect(HazardReport(result).outcome == "no end in time")
  }

  @Test func `a child that writes without end is out of time`() async throws {
    let result = try await shell("yes", limit: .milliseconds(500))
    #expect(result.ending == .outOfTime)
  }

  @Test(arguments: [
    ["about to block: here"], ["one\nabout to ", "block: here\n"],
    ["one", "\n", "about to block: "],
  ])
  func `such words count from the first line on, in however many pieces they come`(
    _ pieces: [String]
  ) throws {
    let pipe = Pipe()
    var tail = OutputTail(pipe.fileHandleForReading, lookingFor: HazardProtocol.blocking)
    for piece in pieces {
      #expect(!tail.hasLine)
      try pipe.fileHandleForWriting.write(contentsOf: Data(piece.utf8))
      tail.read()
    }
    #expect(tail.hasLine)
  }

  @Test func `such words in the middle of a line do not count`() async throws {
    let result = try await shell(
      "echo 'not about to block: here'; read line <&3", limit: .seconds(1))
    #expect(result.ending == .outOfTime)
  }

  @Test func `of endless output the last part is kept`() async throws {
    let result = try await shell(
      "i=0; while [ $i -lt 60000 ]; do echo 0123456789012345678901234567890123456789 $i; i=$((i+1)); done"
    )
    #expect(result.ending == .exited(0))
    #expect(result.output.hasSuffix(" 59999\n"))
    #expect(result.output.utf8.count <= 2_000_000)
  }

  @Test func `what a child leaves behind in its group ends with it`() async throws {
    let result = try await shell("sleep 1000 & echo $!")
    let grandchild = try #require(
      pid_t(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(await ProcessTable.isGone(grandchild))
  }

  @Test func `more children than the pool has threads hang side by side`() async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<16 {
        group.addTask { try await shell("echo 'about to block: here'; read line <&3") }
      }
      for try await result in group { #expect(result.ending == .hung) }
    }
  }

  @Test func `a cancelled wait kills the child`() async throws {
    let task = Task { try await shell("while :; do :; done") }
    task.cancel()
    #expect(try await task.value.ending == .signaled(SIGKILL))
  }

  @Test func `a program that is not there is an error with its name`() async {
    let error = await #expect(throws: LaunchError.self) {
      try await ChildProcess.run("/no/such/program", [])
    }
    #expect(error?.description == "cannot run /no/such/program: No such file or directory")
  }

  private func shell(
    _ script: String, limit: Duration = .seconds(300)
  ) async throws -> ChildProcess.Result {
    try await ChildProcess.run("/bin/sh", ["-c", script], limit: limit)
  }
}
