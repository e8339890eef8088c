import ChapterTesting
import Foundation
import Testing

@testable import SystemEvents

/// Tests that send signals run in processes of their own: actions belong to the whole process.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SignalTests {
  /// What is watched, and what was told of it.
  struct Watch: Sendable {
    let told = Deliveries<SignalNumber>()
    let over = Deliveries<Void>()
    var cancel: @Sendable () -> Void = {}
  }

  enum Form: String, CaseIterable, Codable {
    case source, sequence

    /// Begins to watch, and returns when that is so.
    func watch(_ signals: Set<SignalNumber>) async throws(SignalError) -> Watch {
      var watch = Watch()
      let (told, over) = (watch.told, watch.over)
      switch self {
      case .source:
        let ready = Deliveries<SignalError?>()
        let source = try Sourced.Signals(
          of: signals, queue: DispatchQueue(label: "signals"), whenReady: { ready.append($0) },
          whenSignal: { told.append($0) }, whenOver: { over.append(()) })
        if let error = await ready.wait(count: 1)[0] { throw error }
        watch.cancel = { source.cancel() }
      case .sequence:
        let sequence = try await Async.Signals(of: signals, whenOver: { over.append(()) })
        let task = Task { for await set in sequence { set.sorted().forEach(told.append) } }
        watch.cancel = { task.cancel() }
      }
      return watch
    }
  }

  @Test(arguments: Form.allCases)
  func `what no source tells of is refused by name, with the reason`(_ form: Form) async {
    let faults = [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP]
    let bad: [Int32] = [.min, -1, 0, 65, 1_000, .max]
    let rows: [([Int32], String)] = [
      ([SIGKILL], ", and no code of it is asked; tidy up when the process begins the next time"),
      ([SIGSTOP], ", and no code of it is asked; watch SIGCONT, which comes when it goes on"),
      (faults, "; a source does not replace sigaction for it; mend the cause"),
      (
        [SIGPIPE, SIGPROF, SIGSYS],
        ": Dispatch on Linux never blocks it, and sends it to itself for ever; "
          + "ignore it with SIG_IGN, or use sigaction"
      ),
      (bad, "system has no such signal, or keeps it for itself; take a constant, such as SIGHUP"),
    ]
    for (numbers, text) in rows {
      for number in numbers {
        let error = await #expect(throws: SignalError.self) {
          _ = try await form.watch([.hangUp, SignalNumber(number)])
        }
        #expect(error?.signal == SignalNumber(number))
        let name = (1...64).contains(number) ? "SIG" : "signal \(number): "
        #expect(error?.description.hasPrefix("watch " + name) == true)
        #expect(error?.description.hasSuffix(text) == true)
      }
    }
    let error = await #expect(throws: SignalError.self) { _ = try await form.watch([]) }
    #expect(error?.description == "watch signals: there is none; name one or more")
  }

  @Test(arguments: Form.allCases)
  func `the default action is gone, and stays so, but for SIGCHLD`(_ form: Form) async {
    await #expect(processExitsWith: .success) { [form = form as Form] in
      let first = try await form.watch([.terminate])
      first.cancel()
      await first.over.wait(count: 1)
      // It would end the process. So it waits, on Linux for the next source.
      kill(getpid(), SIGTERM)
      let next = try await form.watch([.terminate])
      await next.told.wait(count: 1)
      next.cancel()
      // As a process finds it whose parent ignores it; children can be reaped all the same.
      signal(SIGCHLD, SIG_IGN)
      let watch = try await form.watch([.child])
      #expect(SignalNumber.child.action != .ignored)
      let child = try OwnedChild(spawning: shell("exit 3"))
      await watch.told.wait(count: 1)
      #expect(try child.reap() == .exited(3))
      watch.cancel()
    }
  }

  @Test(arguments: Form.allCases)
  func `eight watches that begin at once are told of each signal`(_ form: Form) async {
    await #expect(processExitsWith: .success) { [form = form as Form] in
      let numbers: [Int32] = [
        SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU,
        SIGXCPU, SIGXFSZ, SIGVTALRM, SIGIO, SIGCONT, SIGWINCH, SIGURG,
      ]
      for (i, number) in numbers.map({ SignalNumber($0) }).enumerated() {
        // One that is ignored is told, too.
        if i.isMultiple(of: 3) { signal(number.rawValue, SIG_IGN) }
        let watches: [Watch] = try await withThrowingTaskGroup(of: Watch.self) { group in
          for _ in 0..<8 { group.addTask { try await form.watch([number]) } }
          return try await group.reduce(into: []) { $0.append($1) }
        }
        kill(getpid(), number.rawValue)
        for watch in watches {
          #expect(await watch.told.wait(count: 1) == [number])
          watch.cancel()
          await watch.over.wait(count: 1)
        }
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `what would never be told is an error, and no silence`(_ form: Form) async {
    await #expect(processExitsWith: .success) { [form = form as Form] in
      let watch = try await form.watch([.user1])
      for free in 0...2 {
        let taken = takeDescriptors(leaving: free)
        let error = await #expect(throws: SignalError.self) {
          _ = try await form.watch([.user2, .hangUp, .child])
        }
        for descriptor in taken { close(descriptor) }
        let text =
          "watch signals: Too many open files (error 24); "
          + "each needs a descriptor; close some that are not needed"
        #expect(error?.description == text)
      }
      watch.cancel()
      signal(SIGUSR1, SIG_DFL)
      // A task that is cancelled learns of it, too.
      for isCancelled in [false, true] {
        let task = Task {
          if isCancelled { withUnsafeCurrentTask { $0?.cancel() } }
          return try await form.watch([.hangUp, .user1])
        }
        let error = await #expect(throws: SignalError.self) { _ = try await task.value }
        let text =
          "watch SIGUSR1: its action was set back after an earlier source, so nothing comes; "
          + "leave the action alone once a source has had the signal"
        #expect(error?.description == text)
      }
    }
  }

  @Test func `a watch is over without its owner, or when its task is cancelled`() async {
    await #expect(processExitsWith: .success) {
      let sourceOver = try await Form.source.watch([.hangUp, .user1]).over
      await sourceOver.wait(count: 1)
      let over = Deliveries<String>()
      _ = try await Async.Signals(of: [.hangUp, .user1], whenOver: { over.append("owner") })
      await over.wait(count: 1)
      let signals = try await Async.Signals(of: [.hangUp], whenOver: { over.append("task") })
      let task = Task { await signals.makeAsyncIterator().next(isolation: nil) }
      task.cancel()
      #expect(await task.value == nil)
      #expect(await over.wait(count: 2) == ["owner", "task"])
      // No more signals come.
      kill(getpid(), SIGHUP)
      #expect(await signals.makeAsyncIterator().next(isolation: nil) == nil)
    }
  }

  @Test func `signals that nobody has asked for yet are one set`() async {
    await #expect(processExitsWith: .success) {
      let other = try await Form.source.watch([.hangUp, .user1])
      let signals = try await Async.Signals(of: [.hangUp, .user1]).makeAsyncIterator()
      // Both may be asked for before the second one has come; one after another, they never are one set.
      for round in 1...1_000 {
        for signal in [SIGHUP, SIGUSR1] { kill(getpid(), signal) }
        await other.told.wait(count: 2 * round)
        if await signals.next(isolation: nil) == [.hangUp, .user1] { return other.cancel() }
        _ = await signals.next(isolation: nil)
      }
      Issue.record("they never are one set")
    }
  }
}
