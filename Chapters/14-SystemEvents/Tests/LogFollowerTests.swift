import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import SystemEvents

@Suite(.serialized, .timeLimit(.minutes(30)))
struct LogFollowerTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Begins to follow a path, and gives what stops it. The end is told with the error, if there was one.
    let begin:
      @Sendable (
        String, _ lineLimit: Int, _ event: @escaping @Sendable (LogEvent) -> Void,
        _ over: @escaping @Sendable ((any Error)?) -> Void
      ) throws -> @Sendable () -> Void

    static let all = [
      Form(testDescription: "source") { path, limit, event, over in
        let follower = try Sourced.LogFollower(
          path: path, queue: DispatchQueue(label: "log", attributes: .concurrent),
          lineLimit: limit, whenEvent: event, whenOver: over)
        return { follower.stop() }
      },
      Form(testDescription: "sequence") { path, limit, event, over in
        let (closings, closed) = AsyncStream<Void>.makeStream()
        let log = try Async.FollowedLog(path: path, lineLimit: limit) { closed.finish() }
        let task = Task {
          var failure: (any Error)?
          do { for try await line in log { event(line) } } catch { failure = error }
          // Not in this task, which may be cancelled.
          await Task { for await _ in closings {} }.value
          over(failure)
        }
        return { task.cancel() }
      },
    ]

    func follow(_ path: String, lineLimit: Int = 65_536) throws -> Followed {
      let events = Deliveries<LogEvent>()
      let ends = Deliveries<String>()
      let stop = try begin(
        path, lineLimit, { events.append($0) }, { ends.append($0.map { "\($0)" } ?? "stopped") })
      return Followed(events: events, ends: ends, stop: stop)
    }
  }

  struct Followed: Sendable {
    let events: Deliveries<LogEvent>
    let ends: Deliveries<String>
    let stop: @Sendable () -> Void

    /// Waits until the last event is this one.
    func wait(for event: LogEvent) async { await events.wait { $0.last == event } }

    /// Stops it, and gives all events.
    func end() async -> [LogEvent] {
      stop()
      #expect(await ends.wait(count: 1) == ["stopped"])
      return events.all
    }
  }

  @Test(arguments: Form.all)
  func `lines that are there come, and then each one that is appended`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\n\ntwo\nthr"))
    await followed.wait(for: .line("two"))
    folder.append("ee\n", to: "log")
    await followed.wait(for: .line("three"))
    folder.append("four\nfive\n", to: "log")
    await followed.wait(for: .line("five"))
    let lines = ["one", "", "two", "three", "four", "five"]
    #expect(await followed.end() == lines.map { .line($0) })
  }

  @Test(arguments: Form.all)
  func `a log that does not exist is followed when it is created`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.at("log"))
    folder.file("other", "no\n")
    folder.file("log")
    folder.append("one\n", to: "log")
    await followed.wait(for: .line("one"))
    #expect(await followed.end() == [.line("one")])
  }

  @Test(arguments: Form.all)
  func `renamed, it is read to its end, and then the new one`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\n"))
    await followed.wait(for: .line("one"))
    let old = folder.move("log", to: "log.1")
    await followed.wait(for: .rotated(to: old))
    // The writer has not noticed yet.
    folder.append("two\n", to: "log.1")
    await followed.wait(for: .line("two"))
    folder.file("log")
    folder.append("three\n", to: "log.1")
    await followed.wait(for: .line("three"))
    folder.append("four\n", to: "log.1")
    folder.append("five\n", to: "log")
    await followed.wait(for: .line("five"))
    folder.append("six\n", to: "log")
    await followed.wait(for: .line("six"))
    #expect(
      await followed.end() == [
        .line("one"), .rotated(to: old), .line("two"), .line("three"), .line("four"),
        .line("five"), .line("six"),
      ])
  }

  @Test(arguments: Form.all)
  func `each new name of a rotated log is told once`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\n"))
    await followed.wait(for: .line("one"))
    let names = (1...3).map { folder.at("log.\($0)") }
    folder.move("log", to: "log.1")
    await followed.wait(for: .rotated(to: names[0]))
    for i in 1...2 {
      folder.file("log")
      folder.move("log.\(i)", to: "log.\(i + 1)")
      await followed.wait(for: .rotated(to: names[i]))
      // One that was never written to is of no interest.
      folder.remove("log")
    }
    folder.append("two\n", to: "log.3")
    await followed.wait(for: .line("two"))
    folder.file("log", "three\n")
    await followed.wait(for: .line("three"))
    #expect(
      await followed.end() == [
        .line("one"), .rotated(to: names[0]), .rotated(to: names[1]), .rotated(to: names[2]),
        .line("two"), .line("three"),
      ])
  }

  @Test(arguments: Form.all)
  func `copied and truncated, it is read from its start`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\ntwo\nthr"))
    await followed.wait(for: .line("two"))
    #expect(truncate(folder.at("log"), 0) == 0)
    await followed.wait(for: .truncated)
    folder.append("four\n", to: "log")
    await followed.wait(for: .line("four"))
    // Written again at once, it is still shorter than before.
    #expect(truncate(folder.at("log"), 0) == 0)
    folder.append("a\n", to: "log")
    await followed.wait(for: .line("a"))
    #expect(
      await followed.end() == [
        .line("one"), .line("two"), .unfinished("thr"), .truncated, .line("four"), .truncated,
        .line("a"),
      ])
  }

  @Test(arguments: Form.all)
  func `saved by renaming another file over it, it is read from its start`(_ form: Form)
    async throws
  {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\ntw"))
    await followed.wait(for: .line("one"))
    for i in 0..<10 {
      folder.file("new", "\(i)\n")
      folder.move("new", to: "log")
      await followed.wait(for: .line("\(i)"))
    }
    let saves = (0..<10).flatMap { [.rotated(to: nil), .line("\($0)")] as [LogEvent] }
    // The rest of the first file comes when there is another one.
    #expect(
      await followed.end()
        == [.line("one"), .rotated(to: nil), .unfinished("tw")] + saves.dropFirst())
  }

  @Test(arguments: Form.all)
  func `removed, it is waited for until it is there again`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\n"))
    await followed.wait(for: .line("one"))
    folder.remove("log")
    await followed.wait(for: .rotated(to: nil))
    folder.file("log", "two\n")
    await followed.wait(for: .line("two"))
    #expect(await followed.end() == [.line("one"), .rotated(to: nil), .line("two")])
  }

  @Test(arguments: Form.all)
  func `a file that comes back under its name is read on`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\n"))
    await followed.wait(for: .line("one"))
    let old = folder.move("log", to: "log.1")
    await followed.wait(for: .rotated(to: old))
    // Away and back, again and again, however often the follower looks in between.
    for i in 0..<300 {
      folder.move("log.1", to: "log")
      if i % 3 == 0 {
        folder.file("new")
        folder.move("log", to: "log.1")
        folder.move("new", to: "log")
        folder.remove("log")
      } else {
        folder.move("log", to: "log.1")
      }
    }
    folder.move("log.1", to: "log")
    folder.append("two\n", to: "log")
    await followed.events.wait { $0.contains(.line("two")) }
    let events = await followed.end()
    #expect(events.filter { $0 != .rotated(to: old) } == [.line("one"), .line("two")])
  }

  @Test(arguments: Form.all)
  func `characters that come in parts are whole`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log"))
    let text = "naïve, 日志, 👩‍👩‍👧\n"
    for byte in text.utf8 { folder.append([byte], to: "log") }
    await followed.wait(for: .line(String(text.dropLast())))
    #expect(await followed.end().count == 1)
  }

  @Test(arguments: Form.all)
  func `a line beyond the limit is cut`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log"), lineLimit: 10)
    folder.append("0123456789\n", to: "log")
    await followed.wait(for: .line("0123456789"))
    let long = String(repeating: "0123456789", count: 20_000)
    folder.append(long, to: "log")
    await followed.wait(for: .longLine("0123456789"))
    folder.append(long + "\nshort\n", to: "log")
    await followed.wait(for: .line("short"))
    #expect(
      await followed.end() == [.line("0123456789"), .longLine("0123456789"), .line("short")])
  }

  @Test func `a loop that is left takes nothing along`() async throws {
    let folder = try TemporaryFolder()
    let log = try Async.FollowedLog(path: folder.file("log", "one\ntwo\nthree\n"))
    for try await event in log {
      #expect(event == .line("one"))
      break
    }
    var rest: [LogEvent] = []
    for try await event in log {
      rest.append(event)
      if event == .line("three") { break }
    }
    #expect(rest == [.line("two"), .line("three")])
  }

  @Test(arguments: Form.all)
  func `twenty thousand lines over twenty rotations come once each, in order`(_ form: Form)
    async throws
  {
    let folder = try TemporaryFolder()
    let numbers = Mutex<[Int?]>([])
    let marks = Deliveries<String>()
    let stop = try form.begin(
      folder.file("log"), 100,
      { event in
        switch event {
        case .line(let line):
          numbers.withLock { $0.append(Int(line)) }
          if line == "0" || line.hasSuffix("000") { marks.append(line) }
        case .rotated: marks.append("rotated")
        default: numbers.withLock { $0.append(nil) }
        }
      }, { _ in marks.append("over") })
    for part in 0..<20 {
      let writer = LineWriter(folder, from: part * 1_000)
      // A file that came and went before anybody looked would never be seen.
      writer.write(1)
      await marks.wait { $0.contains("\(part * 1_000)") }
      await blocking {
        writer.write(799)
        folder.move("log", to: "log.\(part)")
        // The writer goes on in the old file for a while.
        writer.write(100)
        folder.file("log")
        writer.write(100)
      }
    }
    LineWriter(folder, from: 20_000).write(1)
    await marks.wait { $0.contains("20000") }
    stop()
    await marks.wait { $0.last == "over" }
    #expect(numbers.withLock { $0 } == Array(0...20_000))
    #expect(marks.all.filter { $0 == "rotated" }.count == 20)
  }

  @Test(arguments: Form.all, ["removed", "renamed", "replaced"])
  func `a folder that vanishes ends it with an error`(_ form: Form, _ kind: String) async throws {
    let folder = try TemporaryFolder()
    folder.folder("logs")
    let followed = try form.follow(folder.file("logs/log", "one\n"))
    await followed.wait(for: .line("one"))
    switch kind {
    case "removed":
      folder.remove("logs/log")
      #expect(rmdir(folder.at("logs")) == 0)
    case "renamed": folder.move("logs", to: "old")
    default:
      folder.move("logs", to: "old")
      folder.folder("logs")
      folder.file("logs/log", "two\n")
    }
    #expect(
      await followed.ends.wait(count: 1) == [
        "follow \(folder.at("logs/log")): No such file or directory (error 2); "
          + "its folder is gone; follow it again when there is one"
      ])
    followed.stop()
    #expect(!followed.events.all.contains(.line("two")))
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let path: @Sendable (TemporaryFolder) -> String
    let reason: String

    static let refused = [
      Wrong(
        testDescription: "no folder", path: { $0.at("none/log") },
        reason: "No such file or directory (error 2); create it first, or pass another path"),
      Wrong(
        testDescription: "a file as a folder", path: { $0.file("file") + "/log" },
        reason: "Not a directory (error 20); a part of the path is no folder"),
      Wrong(
        testDescription: "no path", path: { _ in "" }, reason: "Invalid argument (error 22)"),
      Wrong(
        testDescription: "a zero", path: { $0.at("a\0b") }, reason: "Invalid argument (error 22)"),
    ]

    static let failing = [
      Wrong(
        testDescription: "a folder", path: { $0.folder("log") },
        reason: "Is a directory (error 21); pass the path of a regular file"),
      Wrong(
        testDescription: "a pipe",
        path: {
          #expect(mkfifo($0.at("log"), 0o600) == 0)
          return $0.at("log")
        }, reason: "Invalid argument (error 22); pass the path of a regular file"),
      Wrong(
        testDescription: "a link to itself",
        path: {
          #expect(symlink($0.at("log"), $0.at("log")) == 0)
          return $0.at("log")
        }, reason: "Too many levels of symbolic links (error 40)"),
    ]
  }

  @Test(arguments: Form.all, Wrong.refused)
  func `a path that no log can have is refused with the reason`(_ form: Form, _ wrong: Wrong) throws
  {
    let folder = try TemporaryFolder()
    let error = #expect(throws: SystemError.self) { _ = try form.follow(wrong.path(folder)) }
    #expect(error?.description.contains(wrong.reason) == true, "\(error?.description ?? "")")
  }

  @Test(arguments: Form.all, Wrong.failing)
  func `what is no log ends it with the reason`(_ form: Form, _ wrong: Wrong) async throws {
    let folder = try TemporaryFolder()
    let path = wrong.path(folder)
    let followed = try form.follow(path)
    let end = try #require(await followed.ends.wait(count: 1).first)
    #expect(end.contains(wrong.reason) && end.contains(path), "\(end)")
    followed.stop()
  }

  @Test(arguments: Form.all)
  func `stopped, it tells its end once, and nothing follows`(_ form: Form) async throws {
    let folder = try TemporaryFolder()
    let followed = try form.follow(folder.file("log", "one\n"))
    await followed.wait(for: .line("one"))
    followed.stop()
    followed.stop()
    await followed.ends.wait(count: 1)
    folder.append("two\n", to: "log")
    let other = try form.follow(folder.at("log"))
    await other.wait(for: .line("two"))
    other.stop()
    #expect(followed.events.all == [.line("one")])
    #expect(followed.ends.all == ["stopped"])
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

  @Test func `a follower may be stopped in its own handler`() async throws {
    let folder = try TemporaryFolder()
    let follower = Mutex<Sourced.LogFollower?>(nil)
    let events = Deliveries<LogEvent>()
    let ends = Deliveries<Void>()
    let queue = DispatchQueue(label: "log")
    try queue.sync {
      let created = try Sourced.LogFollower(
        path: folder.file("log", "one\ntwo\n"), queue: queue,
        whenEvent: {
          events.append($0)
          follower.withLock { $0?.stop() }
        }, whenOver: { _ in ends.append(()) })
      follower.withLock { $0 = created }
    }
    await ends.wait(count: 1)
    #expect(events.all == [.line("one")])
  }

  #if os(Linux)
    // Processes of their own: all of their descriptors are taken.
    @Test func `a follower that cannot watch the next file says so and ends`() async {
      await #expect(processExitsWith: .success) { await followWithoutDescriptors(Form.all[0]) }
    }

    @Test func `a sequence that cannot watch the next file says so and ends`() async {
      await #expect(processExitsWith: .success) { await followWithoutDescriptors(Form.all[1]) }
    }
  #endif
}

#if os(Linux)
  /// Rotates a log when the process has few descriptors left: the follower needs two for each file.
  private func followWithoutDescriptors(_ form: LogFollowerTests.Form) async {
    do {
      // The first one starts the threads of Dispatch, and its manager's descriptors.
      #expect(try await rotate(form, leaving: nil) == "two")
      let before = countOfDescriptors()
      #expect(try await rotate(form, leaving: 0).contains("Too many open files (error 24)"))
      for free in 1..<10 {
        let end = try await rotate(form, leaving: free)
        #expect(end == "two" || end.contains("Too many open files (error 24)"), "\(end)")
      }
      // Other threads may have opened one or two. One left a round would be ten.
      #expect(countOfDescriptors() - before < 8)
    } catch { Issue.record(error) }
  }

  /// - Returns: The line of the new file, or the error.
  private func rotate(_ form: LogFollowerTests.Form, leaving free: Int?) async throws -> String {
    let folder = try TemporaryFolder()
    folder.file("new", "two\n")
    let results = Deliveries<String>()
    let stop = try form.begin(
      folder.file("log", "one\n"), 100,
      { if case .line(let line) = $0 { results.append(line) } },
      { results.append($0.map { "\($0)" } ?? "over") })
    await results.wait(count: 1)
    // The follower may be about to open something, and all are taken for a moment.
    let taken = free.map { takeDescriptors(leaving: $0) } ?? []
    folder.move("new", to: "log")
    let end = await results.wait(count: 2)[1]
    for descriptor in taken { close(descriptor) }
    if end == "two" {
      stop()
      await results.wait(count: 3)
    }
    return end
  }
#endif

/// Writes numbers to a log that it has open, a line each.
private final class LineWriter: Sendable {
  private let descriptor: Int32
  private let next: Mutex<Int>

  init(_ folder: TemporaryFolder, from first: Int) {
    descriptor = open(folder.at("log"), O_WRONLY | O_APPEND | O_CLOEXEC)
    next = Mutex(first)
  }

  deinit { close(descriptor) }

  func write(_ count: Int) {
    next.withLock { next in
      for _ in 0..<count {
        let line = "\(next)\n"
        #expect(Foundation.write(descriptor, line, line.utf8.count) == line.utf8.count)
        next += 1
      }
    }
  }
}
