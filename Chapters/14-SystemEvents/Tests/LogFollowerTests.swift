import ChapterTesting
import Foundation
import Synchronization
import Testing

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct LogFollowerTests {
  /// The end is told with the error, if there was one.
  static let forms = [
    Form(testDescription: "source") { path, tell in
      let follower = try Sourced.LogFollower(
        path: path, queue: DispatchQueue(label: "log", attributes: .concurrent), lineLimit: 40,
        whenEvent: { tell("\($0)") }, whenOver: { tell($0.map { "\($0)" } ?? "stopped") })
      return { _ in follower.stop() }
    },
    Form(testDescription: "sequence") { path, tell in
      let (closings, closed) = AsyncStream<Void>.makeStream()
      let log = try Async.FollowedLog(path: path, lineLimit: 40) { closed.finish() }
      let task = Task {
        var end = "stopped"
        do { for try await event in log { tell("\(event)") } } catch { end = "\(error)" }
        // Not in this task, which may be cancelled.
        await Task { for await _ in closings {} }.value
        tell(end)
      }
      return { _ in task.cancel() }
    },
  ]

  private static let limit = String(repeating: "0123456789", count: 4)
  private static let long = String(repeating: limit, count: 5_000)
  private static let inFolder: Step = .several([
    .folder("logs"), .file("logs/log", "one\n"), .begin("logs/log"), .lines("one"),
  ])
  private static let isGone: Step = .tells(
    "follow logs/log: No such file or directory (error 2); "
      + "its folder is gone; follow it again when there is one")
  private static let isLoop: Step = .tells(
    "open log: Too many levels of symbolic links (error 40); "
      + "pass the path of a file that can be read")

  static let rows: [Row] = [
    Row(
      "lines that are there come, and then each one that is appended, in whatever parts",
      .log("one\n\ntwo\nthr"), .lines("one", "", "two"), .append("ee\n", to: "log"),
      .lines("three"), .append("four\nfive\n", to: "log"), .lines("four", "five"),
      .does { for byte in "naïve, 日志, 👩‍👩‍👧\n".utf8 { $0.append([byte], to: "log") } },
      .lines("naïve, 日志, 👩‍👩‍👧"), .over),
    Row(
      "where none is, or it is removed, it is waited for", .begin("log"), .file("other", "no\n"),
      .file("log"), .append("one\n", to: "log"), .lines("one"), .remove("log"),
      .events(.rotated(to: nil)), .file("log", "two\n"), .lines("two"), .over),
    Row(
      "renamed, it is read to its end, and then the new one", .log("one\n"), .lines("one"),
      .move("log", to: "log.1"), .events(.rotated(to: "log.1")),
      // The writer has not noticed yet.
      .append("two\n", to: "log.1"), .lines("two"), .file("log"), .append("three\n", to: "log.1"),
      .lines("three"), .append("four\n", to: "log.1"), .append("five\n", to: "log"),
      .lines("four", "five"), .append("six\n", to: "log"), .lines("six"), .over),
    Row(
      "each new name of a rotated log is told once", .log("one\n"), .lines("one"),
      .move("log", to: "log.1"), .events(.rotated(to: "log.1")),
      .file("log"), .move("log.1", to: "log.2"), .events(.rotated(to: "log.2")),
      // One that was never written to is of no interest.
      .remove("log"), .file("log"), .move("log.2", to: "log.3"), .events(.rotated(to: "log.3")),
      .remove("log"), .append("two\n", to: "log.3"), .lines("two"), .file("log", "three\n"),
      .lines("three"), .over),
    Row(
      "copied and truncated, it is read from its start", .log("one\ntwo\nthr"),
      .lines("one", "two"), .system("log") { truncate($0, 0) },
      .events(.unfinished("thr"), .truncated), .append("four\n", to: "log"), .lines("four"),
      // Written again at once, it is still shorter than before.
      .system("log") { truncate($0, 0) }, .append("a\n", to: "log"),
      .events(.truncated, .line("a")), .over),
    Row(
      "saved by renaming another file over it, it is read from its start", .log("one\ntw"),
      .lines("one"), .file("new", "two\n"), .move("new", to: "log"),
      // The rest of the first file comes when there is another one.
      .events(.rotated(to: nil), .unfinished("tw"), .line("two")),
      .each(9) {
        [
          .file("new", "\($0)\n"), .move("new", to: "log"),
          .events(.rotated(to: nil), .line("\($0)")),
        ]
      }, .over),
    Row(
      "one that comes back under its name is read on", .log("one\n"), .lines("one"),
      .move("log", to: "log.1"), .events(.rotated(to: "log.1")), .ignores(.rotated(to: "log.1")),
      // Away and back, again and again, however often the follower looks in between.
      .each(300) {
        $0 % 3 > 0
          ? [.move("log.1", to: "log"), .move("log", to: "log.1")]
          : [
            .move("log.1", to: "log"), .file("new"), .move("log", to: "log.1"),
            .move("new", to: "log"), .remove("log"),
          ]
      }, .move("log.1", to: "log"), .append("two\n", to: "log"), .lines("two"), .over),
    Row(
      "a line beyond the limit is cut", .log("\(limit)\n"), .lines(limit),
      .append(long, to: "log"), .events(.longLine(limit)), .append("\(long)\nshort\n", to: "log"),
      .lines("short"), .over),
    Row(
      "stopped, it tells its end once, and nothing follows", .log("one\n"), .lines("one"), .cancel,
      .over, .append("two\n", to: "log"), .begin("log"), .lines("one", "two"), .over),
    Row(
      "its folder is removed", inFolder, .remove("logs/log"), .events(.rotated(to: nil)),
      .remove("logs"), isGone),
    Row("its folder is renamed", inFolder, .move("logs", to: "old"), isGone),
    Row(
      "its folder is replaced", inFolder, .move("logs", to: "old"), .folder("logs"),
      .file("logs/log", "two\n"), isGone),
    Row(
      "a folder", .folder("log"), .begin("log"),
      .tells("follow log: Is a directory (error 21); pass the path of a regular file")),
    Row(
      "a pipe", .system("log") { mkfifo($0, 0o600) }, .begin("log"),
      .tells("follow log: Invalid argument (error 22); pass the path of a regular file")),
    Row("a link to itself", .system("log") { symlink($0, $0) }, .begin("log"), isLoop),
  ]

  @Test(arguments: forms, rows)
  func `what happens to a log is told, and nothing else`(_ form: Form, _ row: Row) async throws {
    try await form.take(.several(row.steps), .cancel, .tells())
  }

  @Test(arguments: forms)
  func `20,000 lines over 20 rotations come once, in order`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let told = Deliveries<String>()
    let calls = try form.begin(folder.file("log")) { told.append($0) }
    for number in 0...20_000 {
      let (part, place) = number.quotientAndRemainder(dividingBy: 1_000)
      // Behind the 800th the writer goes on in the old file for a while.
      folder.append("\(number)\n", to: place < 800 ? "log" : "log.\(part)")
      switch place {
      // A file that came and went before anybody looked would never be seen.
      case 0: await told.wait { $0.last == line("\(number)") }
      case 799: folder.move("log", to: "log.\(part)")
      case 899: folder.file("log")
      default: break
      }
    }
    try calls(.cancel)
    await told.wait { $0.last == "stopped" }
    let rotations = (0..<20).map { "\(LogEvent.rotated(to: folder.at("log.\($0)")))" }
    #expect(told.all.filter { $0.hasPrefix("rotated") } == rotations)
    let rest = (0...20_000).map { line("\($0)") } + ["stopped"]
    #expect(told.all.filter { !$0.hasPrefix("rotated") } == rest)
  }

  @Test func `a loop that is left takes nothing along`() async throws {
    let folder = try TemporaryFolder()
    let log = try Async.FollowedLog(path: folder.file("log", "one\ntwo\nthree\n"))
    var events: [LogEvent] = []
    for last: LogEvent in [.line("one"), .line("three")] {
      for try await event in log {
        events.append(event)
        if event == last { break }
      }
    }
    #expect(events == [.line("one"), .line("two"), .line("three")])
  }

  @Test func `a follower without an owner is over`() async throws {
    let folder = try TemporaryFolder()
    let path = folder.file("log", "one\n")
    let ends = Deliveries<Bool>()
    _ = try Sourced.LogFollower(
      path: path, queue: DispatchQueue(label: "log"), whenEvent: { _ in },
      whenOver: { ends.append($0 == nil) })
    _ = try Async.FollowedLog(path: path) { ends.append(true) }
    #expect(await ends.wait(count: 2) == [true, true])
  }

  @Test(arguments: forms)
  func `it may be stopped where it tells`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let told = Deliveries<String>()
    let calls = Mutex<Form.Calls>({ _ in })
    let begun = try form.begin(folder.at("log")) {
      told.append($0)
      try? calls.withLock { $0 }(.cancel)
    }
    calls.withLock { $0 = begun }
    folder.file("log", "one\ntwo\n")
    #expect(await told.wait { $0.last == "stopped" } == [line("one"), "stopped"])
  }

  @Test(arguments: forms.indices)
  func `one that cannot watch the next file says so and ends`(_ index: Int) async {
    // A process of its own: all of its descriptors are taken.
    await #expect(processExitsWith: .success) { [index = index as Int] in
      var before = 0
      // The first one starts the threads of Dispatch, and its manager's descriptors.
      for free in [nil, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as [Int?] {
        let folder = try TemporaryFolder()
        folder.file("new", "two\n")
        let told = Deliveries<String>()
        let form = LogFollowerTests.forms[index]
        let calls = try form.begin(folder.file("log", "one\n")) {
          if !$0.hasPrefix("rotated") { told.append($0) }
        }
        await told.wait(count: 1)
        // The follower may be about to open something, and all are taken for a moment.
        let taken = free.map { takeDescriptors(leaving: $0) } ?? []
        folder.move("new", to: "log")
        let end = await told.wait(count: 2)[1]
        for descriptor in taken { close(descriptor) }
        // It needs two for each file.
        let isRead = end == line("two") && free != 0
        let isOver = end.contains("Too many open files (error 24)") && free != nil
        #expect(isRead || isOver, "\(end)")
        try calls(.cancel)
        await told.wait(count: isRead ? 3 : 2)
        if free == nil { before = countOfDescriptors() }
      }
      // Other threads may have opened one or two. One left a round would be ten.
      #expect(countOfDescriptors() - before < 8)
    }
  }
}

extension Step {
  fileprivate static let over: Step = .several([.cancel, .tells("stopped")])
  fileprivate static func log(_ text: String) -> Step {
    .several([.file("log", text), .begin("log")])
  }
}

/// How a line is told.
private func line(_ line: String) -> String { "\(LogEvent.line(line))" }

@Suite(.timeLimit(.minutes(30)))
struct LogReaderTests {
  /// Expects lines, and what is unfinished behind them, wherever the bytes are cut.
  private func expect(_ lines: [LogEvent], _ rest: LogEvent? = nil, of bytes: [UInt8], limit: Int) {
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var reader = LineReader(limit: limit)
        let parts = [bytes[..<first], bytes[first..<second], bytes[second...]]
        let events = parts.flatMap { reader.append(Array($0)) }
        #expect(events == lines, "\(limit), \(first), \(second)")
        #expect(reader.finish() == rest)
        #expect(reader.finish() == nil)
        #expect(reader.append(Array("a\n".utf8)) == [.line("a")])
      }
    }
  }

  @Test func `wherever the bytes are cut, the lines are the same`() {
    let lines: [LogEvent] = ["one", "", "zwei µ", "日志", "👩‍👧\r"].map { .line($0) }
    let text = "one\n\nzwei µ\n日志\n👩‍👧\r\nrest"
    expect(lines, .unfinished("rest"), of: Array(text.utf8), limit: 100)
    // What is no text is replaced.
    expect([.line("a\u{FFFD}")], of: [0x61, 0xFF, 0x0A], limit: 100)
    expect([.longLine("\u{FFFD}")], of: [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x0A], limit: 4)
    // After a long line nothing is unfinished.
    expect([.longLine("ab")], of: Array("abc".utf8), limit: 2)
  }

  @Test func `wherever the bytes are cut, a limit is kept between characters`() {
    for text in ["abcdefghij", "ééééé", "日志日志", "👩👧👩👧", "a日é👩xyz"] {
      for limit in 1...text.utf8.count + 1 {
        var kept = ""
        for scalar in text.unicodeScalars {
          guard kept.utf8.count + String(scalar).utf8.count <= limit else { break }
          kept.unicodeScalars.append(scalar)
        }
        let first = kept == text ? LogEvent.line(text) : .longLine(kept)
        expect([first, .line("b")], of: Array("\(text)\nb\n".utf8), limit: limit)
      }
    }
  }

  @Test func `what has come between two looks is told in order`() throws {
    let folder = try TemporaryFolder()
    var reader = try LogReader(path: folder.file("log", "one\n"), lineLimit: 100)
    #expect(try reader.all() == [.line("one")])
    #expect(reader.watched.map(\.path) == [folder.path, folder.at("log")])
    let old = folder.move("log", to: "log.1")
    folder.file("log")
    #expect(try reader.all() == [.rotated(to: old)])
    #expect(reader.watched.count == 3)
    // The old file's last lines, then the new one's, and that is rotated, too.
    folder.append("two\nthree", to: "log.1")
    folder.append("four\n", to: "log")
    let new = folder.move("log", to: "log.2")
    folder.file("log", "five\n")
    #expect(
      try reader.all() == [
        .line("two"), .unfinished("three"), .line("four"), .rotated(to: new), .line("five"),
      ])
    #expect(reader.watched.count == 2)
  }

  @Test func `a relative path is read as well`() throws {
    let reader = try LogReader(path: "log-\(UUID().uuidString)", lineLimit: 100)
    #expect(reader.watched.map(\.path) == [FileManager.default.currentDirectoryPath])
  }
}

extension LogReader {
  /// All that there is for now.
  fileprivate mutating func all() throws -> [LogEvent] {
    let events = try next()
    return try events.isEmpty ? [] : events + all()
  }
}
