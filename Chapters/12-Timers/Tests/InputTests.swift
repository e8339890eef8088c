import Dispatch
import Foundation
import Testing
import Workbook

@testable import Timers

/// What a timer cannot keep is refused, with words on what and why.
@Suite(.timeLimit(.minutes(30))) struct InputTests {
  static let refused: [(Duration, TimingError.Kind, String)] = [
    (
      .seconds(-1), .interval,
      "the interval is -1.0 seconds; a timer takes one from a nanosecond up to 290 years"
    ),
    (
      .zero, .interval,
      "the interval is 0.0 seconds; a timer takes one from a nanosecond up to 290 years"
    ),
    (
      .seconds(10_000_000_000), .interval,
      "the interval is 10000000000.0 seconds; a timer takes one from a nanosecond up to 290 years"
    ),
  ]

  @Test(arguments: refused)
  func `an interval that is none`(
    _ value: Duration, _ kind: TimingError.Kind, _ words: String
  ) async {
    let expected = TimingError(kind: kind, value: value)
    #expect("\(expected)" == words)
    #expect(throws: expected) {
      try Sourced.Ticker(every: value, on: DispatchQueue(label: "t")) { _ in }
    }
    #expect(throws: expected) { try Clocked.Ticker(every: value) }
    let stream = AsyncStream<Int> { $0.finish() }
    #expect(throws: expected) { _ = try stream.throttled(every: value) }
    #expect(throws: expected) {
      _ = try Queued.Throttle<Int>(every: value, on: DispatchQueue(label: "t")) { _ in }
    }
    for form in SaverForm.all {
      await #expect(throws: expected) {
        try await form.begin(Document(), value, { _ in }, { _ in }).close()
      }
    }
  }

  @Test func `a leeway or a delay that is none`() {
    let leeway = TimingError(kind: .leeway, value: .seconds(-1))
    #expect(
      "\(leeway)"
        == "the leeway is -1.0 seconds; a timer takes one from nothing up to 290 years")
    #expect(throws: leeway) {
      try Sourced.Ticker(
        every: .seconds(1), leeway: .seconds(-1), on: DispatchQueue(label: "t")
      ) { _ in }
    }
    #expect(throws: leeway) { try Clocked.Ticker(every: .seconds(1), tolerance: .seconds(-1)) }
    let delay = TimingError(kind: .delay, value: .seconds(-1))
    #expect(throws: delay) {
      _ = try Queued.Reminder(after: .seconds(-1), on: DispatchQueue(label: "t")) {}
    }
    #expect(throws: delay) {
      _ = try Queued.Debounce<Int>(for: .seconds(-1), on: DispatchQueue(label: "t")) { _ in }
    }
    #expect(throws: delay) { try Clocked.reminder(after: .seconds(-1)) {} }
    #expect(throws: delay) { _ = try AsyncStream<Int> { $0.finish() }.debounced(for: .seconds(-1)) }
  }

  @Test func `a file that cannot be written is named, and the old one stays`() async {
    // A process of its own, because its limit holds for all files.
    await #expect(processExitsWith: .success) {
      let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let file = DocumentFile(url: folder.appending(path: "document.txt"))
      try file.write(Document.Version(text: "old", number: 1))

      signal(SIGXFSZ, SIG_IGN)
      ResourceLimit.fileSize.set(to: 4)
      let error = #expect(throws: (any Error).self) {
        try file.write(Document.Version(text: "a new one", number: 2))
      }
      #expect(error.map { "\($0)".contains("document.txt") } == true, "\(error as Any)")
      #expect(try String(contentsOf: file.url, encoding: .utf8) == "old")
    }
  }
}
