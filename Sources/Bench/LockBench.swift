import DeadlockDetection
import Foundation
import Workbook

/// Measures what watching costs where nobody else wants what is taken, and what other tools cost.
struct LockBench {
  /// What is watched against what it stands for: for each, the median of paired runs.
  ///
  /// They run on a thread of their own, outside of any task.
  func watching() async -> [(name: String, ratio: Double, against: String)] {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { continuation.resume(returning: measured()) }
    }
  }

  private func measured() -> [(name: String, ratio: Double, against: String)] {
    let lock = (real: NSLock(), watched: WatchedLock("lock"))
    let alone = ratio(times: 5_000) {
      lock.real.lock()
      lock.real.unlock()
    } watched: {
      lock.watched.lock()
      lock.watched.unlock()
    }
    let inner = (real: NSLock(), watched: WatchedLock("inner"))
    let nested = ratio(times: 5_000) {
      lock.real.lock()
      inner.real.lock()
      inner.real.unlock()
      lock.real.unlock()
    } watched: {
      lock.watched.lock()
      inner.watched.lock()
      inner.watched.unlock()
      lock.watched.unlock()
    }
    let semaphore = (real: DispatchSemaphore(value: 1), watched: WatchedSemaphore(value: 1))
    let units = ratio(times: 1_000) {
      semaphore.real.wait()
      semaphore.real.signal()
    } watched: {
      semaphore.watched.wait()
      semaphore.watched.signal()
    }
    let queue = (real: DispatchQueue(label: "queue"), watched: WatchedQueue("queue"))
    let turns = ratio(times: 1_000) {
      queue.real.sync {}
    } watched: {
      queue.watched.sync {}
    }
    return [
      ("a watched lock", alone, "NSLock"),
      ("a watched lock within another", nested, "NSLock within NSLock"),
      ("a watched semaphore", units, "DispatchSemaphore"),
      ("sync on a watched queue", turns, "DispatchQueue"),
    ]
  }

  // Inlined, so that a call of a closure is no part of what is measured.
  @inline(__always) private func ratio(
    times: Int, real: () -> Void, watched: () -> Void
  ) -> Double {
    let clock = ContinuousClock()
    var ratios: [Double] = []
    for _ in 1...101 {
      let plain = clock.measure { for _ in 0..<times { real() } }
      ratios.append(clock.measure { for _ in 0..<times { watched() } } / plain)
    }
    return ratios.median
  }

  /// A small program of one NSLock under a tool, against the program alone; or why there is no such ratio.
  func checking(_ tool: Tool) async throws -> Result<Double, Missing> {
    let folder = FileManager.default.temporaryDirectory.appending(path: "locks-\(getpid())")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(Self.program.utf8).write(to: folder.appending(path: "main.swift"))
    let plain = folder.appending(path: "plain").path
    let checked = folder.appending(path: "checked").path
    for (path, options) in [(plain, []), (checked, tool.options)] {
      let compiler = ["swiftc", "-swift-version", "6", "-O"] + options
      let source = folder.appending(path: "main.swift").path
      let compiled = try await run(compiler + [source, "-o", path])
      guard compiled.ending == .exited(0) else { return .failure(Missing(compiler, compiled)) }
    }
    var ratios: [Double] = []
    for _ in 1...5 {
      var durations: [Double] = []
      for command in [[plain, "1000000"], tool.command + [checked, "\(tool.times)"]] {
        let result = try await run(command)
        guard result.ending == .exited(0), let nanoseconds = Double(result.output) else {
          return .failure(Missing(command, result))
        }
        durations.append(nanoseconds)
      }
      ratios.append(durations[1] / durations[0])
    }
    return .success(ratios.median)
  }

  private func run(_ command: [String]) async throws -> ChildProcess.Result {
    try await ChildProcess.run("/usr/bin/env", command)
  }

  /// What finds mistakes with locks by looking at all that a program does.
  enum Tool: String, CaseIterable {
    case threadSanitizer = "ThreadSanitizer"
    case helgrind

    fileprivate var options: [String] { self == .threadSanitizer ? ["-sanitize=thread"] : [] }
    fileprivate var command: [String] {
      self == .helgrind ? ["valgrind", "-q", "--tool=helgrind"] : []
    }
    fileprivate var times: Int { self == .helgrind ? 20_000 : 200_000 }
  }

  /// Why something could not be measured.
  struct Missing: Error {
    let reason: String

    fileprivate init(_ command: [String], _ result: ChildProcess.Result) {
      let said = (result.errors + result.output).split(separator: "\n").first ?? "it said nothing"
      reason = "\(command[0]), \(result.ending): \(said)"
    }
  }

  /// Prints how long the lock takes, in nanoseconds.
  ///
  /// On a second thread: while a process has only one, its locks cost less (glibc 2.36).
  private static let program = """
    import Foundation

    let times = Int(CommandLine.arguments[1])!
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread { [times, ended] in
      let lock = NSLock()
      let duration = ContinuousClock().measure {
        for _ in 0..<times {
          lock.lock()
          lock.unlock()
        }
      }
      print(duration / .nanoseconds(times), terminator: "")
      ended.signal()
    }
    ended.wait()

    """
}
