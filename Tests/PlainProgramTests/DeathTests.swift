import Foundation
import Interleaving
import InterleavingTesting
import PlainPrograms
import Testing

/// What each way of ending a process leaves of an exploration.
@Suite(.requiresWatching) struct DeathTests {
  /// What the finding says, in debug; optimised code says less.
  static let words: [Deadly: String] = [
    .indexOutOfRange: "Index out of range", .forceUnwrap: "Unexpectedly found nil",
    .precondition: "no boxes", .removeFirst: "empty collection", .overflow: "Not enough bits",
    .checkedContinuation: "tried to resume its continuation more than once",
    .exclusiveAccess: "access conflict", .recursiveMutex: "recursive call", .cast: "Could not cast",
    .exit: "calls exit(3)",
  ]

  /// A trap of Swift's, one of the standard library's, and the end of the process.
  private static let replayed: Set<Deadly> = [.indexOutOfRange, .checkedContinuation, .exit]

  @Test(arguments: Deadly.survivable)
  func `a trap is a finding with its schedule, and the exploration goes on`(
    _ way: Deadly
  ) async throws {
    @Sendable func scenario() async -> String {
      await way.run()
      return "alive"
    }
    let exploration = await explore(scenario: scenario)
    #expect(exploration.failures.map(\.kind) == [.trap], "\(exploration)")
    let trap = try #require(exploration.failures.first)
    #if DEBUG
      #expect(trap.message.contains(try #require(Self.words[way])), "\(trap)")
    #endif
    if way != .recursiveMutex { #expect(trap.message.contains(", at Deaths.swift:"), "\(trap)") }
    #expect(exploration.outcomes.keys.contains("alive"), "\(exploration)")
    #expect(exploration.isComplete, "\(exploration)")
    #expect(trap.trace != nil)
    let schedule = try #require(trap.schedule)
    guard Self.replayed.contains(way) else { return }
    let again = try await replay("\(schedule)", scenario: scenario)
    #expect(again.failures.map(\.kind) == [.trap], "\(again)")
    #expect(again.failures.first?.message == trap.message)
  }

  /// Ends the process without a backtrace, which takes seconds.
  @Sendable private static func endsAtOnce() {
    for number in [SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGTRAP] { signal(number, SIG_DFL) }
  }

  @Test(.serialized, arguments: [Deadly.nullPointer, .abort, .stackOverflow, .trapInLock])
  func `where memory may be broken the process ends, and the schedule is written before`(
    _ way: Deadly
  ) async throws {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way] in
      Self.endsAtOnce()
      _ = await explore { await way.run() }
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    let schedule: String = try #require(
      text.firstMatch(of: /replay\("([0-9a-z()]*\.----)"\)/).map { String($0.output.1) }, "\(text)")
    #expect(text.contains("its stack is full") == (way == .stackOverflow), "\(text)")
    #if DEBUG
      #expect(text.contains("nothing was recorded") == (way == .trapInLock), "\(text)")
    #endif
    let again = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) { [way, schedule = schedule as String] in
      Self.endsAtOnce()
      _ = try await replay(schedule) { await way.run() }
    }
    let repeated = String(decoding: try #require(again).standardErrorContent, as: UTF8.self)
    #expect(repeated.contains("replay(\"\(schedule)\")"), "\(repeated)")
  }

  @Test
  func
    `a step that blocks its thread is told with its task, line and schedule, and what was found before`()
    async throws
  {
    let exploration = await explore(patience: .seconds(3), allowing: ["dead"].contains) {
      await Deadly.blocked.run(isFirst: true)
      return "alive"
    }
    #expect(
      exploration.failures.map(\.kind).sorted { $0.rawValue > $1.rawValue } == [.outcome, .blocked])
    let blocked = try #require(exploration.failures.first { $0.kind == .blocked })
    #expect(
      blocked.message.hasPrefix(
        "a step of B has not come to its end in 3.0 seconds, at Deaths.swift:"))
    #expect(blocked.schedule != nil)
    #expect(blocked.trace != nil, "\(blocked)")
    #expect(exploration.completeness == .uncontrolled)
  }

  @Test func `a step that computes for ever is told apart from one that waits`() async throws {
    let exploration = await explore(patience: .milliseconds(500)) {
      var value = 1
      while value != 0 { value = value &* 3 }
      return value
    }
    let blocked = try #require(exploration.failures.first)
    #expect(blocked.message.contains("it computes for that long, or for ever"), "\(blocked)")
  }

  @Test func `a semaphore that resumes a waiter twice is found by name, and replayed`() async throws
  {
    @Sendable func scenario(isRight: Bool) async -> String {
      let semaphore = CancellableSemaphore(0, isRight: isRight)
      let waiter = Task(name: "waiter") {
        do {
          try await semaphore.waitUnlessCancelled()
          return "passed"
        } catch {
          return "cancelled"
        }
      }
      let other = Task(name: "signal") { semaphore.signal() }
      waiter.cancel()
      await other.value
      return await waiter.value
    }
    let wrong = await explore { await scenario(isRight: false) }
    #expect(wrong.failures.map(\.kind) == [.resumedTwice], "\(wrong)")
    let failure = try #require(wrong.failures.first)
    #expect(
      failure.message.hasPrefix(
        "scenario resumed a continuation of waiter a second time, at CancellableSemaphore.swift:"),
      "\(failure)")
    #expect(wrong.isComplete, "\(wrong)")
    let again = try await replay("\(try #require(failure.schedule))") {
      await scenario(isRight: false)
    }
    #expect(again.failures.map(\.kind) == [.resumedTwice], "\(again)")

    let right = await explore { await scenario(isRight: true) }
    #expect(right.failures.isEmpty, "\(right)")
    #expect(right.isComplete, "\(right)")
    #expect(Set(right.outcomes.keys) == ["passed", "cancelled"])
  }

  /// The four kinds of continuations, each resumed a second time by a task of its own, before or after who waits goes on.
  enum Kind: CaseIterable { case unsafe, unsafeThrowing, checked, checkedThrowing }

  @Test(arguments: Kind.allCases) func `a second resume`(_ kind: Kind) async throws {
    let exploration = await explore {
      switch kind {
      case .unsafe:
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          for name in ["A", "B"] { Task(name: name) { continuation.resume() } }
        }
      case .unsafeThrowing:
        try? await withUnsafeThrowingContinuation {
          (continuation: UnsafeContinuation<Void, any Error>) in
          for name in ["A", "B"] { Task(name: name) { continuation.resume() } }
        }
      case .checked:
        await Swift.withCheckedContinuation(isolation: nil, function: "f") {
          (continuation: Swift.CheckedContinuation<Void, Never>) in
          for name in ["A", "B"] { Task(name: name) { continuation.resume() } }
        }
      case .checkedThrowing:
        try? await Swift.withCheckedThrowingContinuation(isolation: nil, function: "f") {
          (continuation: Swift.CheckedContinuation<Void, any Error>) in
          for name in ["A", "B"] { Task(name: name) { continuation.resume() } }
        }
      }
    }
    let kinds = Set(exploration.failures.map(\.kind))
    switch kind {
    case .unsafe, .unsafeThrowing:
      #expect(kinds == [.resumedTwice], "\(exploration)")
      // In some schedule the task has gone on before, and who resumes it again may have broken memory.
      #expect(exploration.completeness == .uncontrolled, "\(exploration)")
    case .checked, .checkedThrowing:
      #expect(kinds == [.trap], "\(exploration)")
      #expect(exploration.isComplete, "\(exploration)")
    }
    #expect(exploration.failures.allSatisfy { $0.schedule != nil })
  }
}
