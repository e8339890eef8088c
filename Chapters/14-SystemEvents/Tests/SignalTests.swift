import ChapterTesting
import Dispatch
import Foundation
import Synchronization
import Testing
import Workbook

@testable import SystemEvents

/// Tests that send signals run in processes of their own: actions belong to the whole process.
@Suite(.serialized, .timeLimit(.minutes(30)))
struct SignalTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Begins to watch, returns when that is so, and gives what cancels it.
    let watch:
      @Sendable (
        Set<SignalNumber>, _ handler: @escaping @Sendable (SignalNumber) -> Void,
        _ over: @escaping @Sendable () -> Void
      ) async throws(SignalError) -> @Sendable () -> Void

    static let source = Form(testDescription: "source") {
      (signals, handler, over) async throws(SignalError) in
      let (errors, ready) = AsyncStream<SignalError>.makeStream()
      let watch = try Sourced.Signals(
        of: signals, queue: DispatchQueue(label: "signals"),
        whenReady: { error in
          if let error { ready.yield(error) }
          ready.finish()
        }, whenSignal: handler, whenOver: over)
      for await error in errors { throw error }
      return { watch.cancel() }
    }
    static let sequence = Form(testDescription: "sequence") {
      (signals, handler, over) async throws(SignalError) in
      let watch = try await Async.Signals(of: signals, whenOver: over)
      let task = Task {
        for await set in watch {
          for signal in set.sorted() { handler(signal) }
        }
      }
      return { task.cancel() }
    }
    static let all = [source, sequence]
  }

  // MARK: What is refused

  @Test(arguments: Form.all, [SIGKILL, SIGSTOP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP])
  func `a signal that no source is told of is refused by name`(
    _ form: Form, _ number: Int32
  ) async {
    let error = await #expect(throws: SignalError.self) {
      _ = try await form.watch([.hangUp, SignalNumber(number)], { _ in }, {})
    }
    #expect(error?.signal == SignalNumber(number))
    let text = error?.description ?? ""
    #expect(text.hasPrefix("watch SIG"))
    #expect(
      [SIGKILL, SIGSTOP].contains(number)
        || text.hasSuffix("a source does not replace sigaction for it; mend the cause"))
  }

  #if os(Linux)
    @Test(arguments: Form.all, [SIGPIPE, SIGPROF, SIGSYS])
    func `a signal that Dispatch keeps unblocked on Linux is refused`(
      _ form: Form, _ number: Int32
    ) async {
      let error = await #expect(throws: SignalError.self) {
        _ = try await form.watch([SignalNumber(number)], { _ in }, {})
      }
      #expect(
        error?.description
          == "watch \(SignalNumber(number)): Dispatch on Linux never blocks it, and sends it to itself for ever; "
          + "ignore it with SIG_IGN, or use sigaction")
    }
  #endif

  @Test(arguments: Form.all, [Int32.min, -1, 0, 65, 1_000, .max])
  func `a number that is no signal is refused`(_ form: Form, _ number: Int32) async {
    let error = await #expect(throws: SignalError.self) {
      _ = try await form.watch([SignalNumber(number)], { _ in }, {})
    }
    #expect(
      error?.description
        == "watch signal \(number): the system has no such signal, or keeps it for itself; "
        + "take a constant, such as SIGHUP")
  }

  @Test(arguments: Form.all) func `no signal at all is refused`(_ form: Form) async {
    let error = await #expect(throws: SignalError.self) {
      _ = try await form.watch([], { _ in }, {})
    }
    #expect(error?.description == "watch signals: there is none; name one or more")
  }

  // MARK: Actions

  @Test func `the default action is gone, and stays so`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all {
        let told = Deliveries<SignalNumber>()
        let over = Deliveries<Void>()
        let cancel = try await form.watch([.terminate], { told.append($0) }, { over.append(()) })
        cancel()
        await over.wait(count: 1)
        // It would end the process.
        SignalNumber.terminate.sendHere()
        let again = try await form.watch([.terminate], { told.append($0) }, {})
        #if !os(Linux)  // There it has waited for the next source.
          SignalNumber.terminate.sendHere()
        #endif
        await told.wait(count: 1)
        again()
      }
    }
  }

  @Test func `an ignored signal is told, too`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGHUP, SIG_IGN)
      signal(SIGUSR1, SIG_IGN)
      for (form, number) in zip(Form.all, [SignalNumber.hangUp, .user1]) {
        let told = Deliveries<SignalNumber>()
        let cancel = try await form.watch([number], { told.append($0) }, {})
        number.sendHere()
        #expect(await told.wait(count: 1) == [number])
        cancel()
      }
    }
  }

  @Test func `eight watches that begin at once are all told, for each signal`() async {
    await #expect(processExitsWith: .success) {
      for form in Form.all { try await beginAtOnce(form) }
    }
  }

  @Test func `SIGCHLD is told, and children can be reaped all the same`() async {
    await #expect(processExitsWith: .success) {
      // As a process finds it whose parent ignores it.
      signal(SIGCHLD, SIG_IGN)
      for form in Form.all {
        let told = Deliveries<SignalNumber>()
        let cancel = try await form.watch([.child], { told.append($0) }, {})
        #expect(SignalNumber.child.action != .ignored)
        let child = try OwnedChild(spawning: Command(path: "/bin/sh", arguments: ["-c", "exit 3"]))
        await told.wait(count: 1)
        let status = try child.reap()
        #expect(status == .exited(3))
        cancel()
      }
    }
  }

  #if os(Linux)
    @Test func `an action that was set back is no silence, but an error`() async {
      await #expect(processExitsWith: .success) {
        for (form, signal) in zip(Form.all, [SignalNumber.user1, .user2]) {
          let cancel = try await form.watch([signal], { _ in }, {})
          cancel()
          Foundation.signal(signal.rawValue, SIG_DFL)
          let error = await #expect(throws: SignalError.self) {
            _ = try await form.watch([.hangUp, signal], { _ in }, {})
          }
          #expect(
            error?.description
              == "watch \(signal): its action was set back after an earlier source, so nothing comes; "
              + "leave the action alone once a source has had the signal")
        }
      }
    }

    @Test func `a cancelled task learns of it, too`() async {
      await #expect(processExitsWith: .success) {
        let cancel = try await Form.source.watch([.user2], { _ in }, {})
        Foundation.signal(SIGUSR2, SIG_DFL)
        let task = Task {
          withUnsafeCurrentTask { $0?.cancel() }
          _ = try await Async.Signals(of: [.user2])
        }
        await #expect(throws: SignalError.self) { try await task.value }
        cancel()
      }
    }

    @Test func `without descriptors a watch says so`() async {
      await #expect(processExitsWith: .success) {
        let cancel = try await Form.source.watch([.user1], { _ in }, {})
        for free in 0...2 {
          let taken = takeDescriptors(leaving: free)
          var texts: [String] = []
          for form in Form.all {
            do {
              _ = try await form.watch([.user2, .hangUp, .child], { _ in }, {})
            } catch { texts.append("\(error)") }
          }
          for descriptor in taken { close(descriptor) }
          let text =
            "watch signals: Too many open files (error 24); "
            + "each needs a descriptor; close some that are not needed"
          #expect(texts == [text, text])
        }
        cancel()
      }
    }
  #endif

  // MARK: Ends

  @Test func `a watch without an owner is over`() async {
    await #expect(processExitsWith: .success) {
      let over = Deliveries<String>()
      _ = try Sourced.Signals(
        of: [.hangUp, .user1], queue: DispatchQueue(label: "signals"), whenSignal: { _ in },
        whenOver: { over.append("source") })
      await over.wait(count: 1)
      _ = try await Async.Signals(of: [.hangUp, .user1], whenOver: { over.append("sequence") })
      #expect(await over.wait(count: 2) == ["source", "sequence"])
    }
  }

  @Test func `a task that is cancelled gets no more signals, and its watch is over`() async {
    await #expect(processExitsWith: .success) {
      let over = Deliveries<Void>()
      let signals = try await Async.Signals(of: [.hangUp], whenOver: { over.append(()) })
      let task = Task { await signals.makeAsyncIterator().next(isolation: nil) }
      task.cancel()
      #expect(await task.value == nil)
      await over.wait(count: 1)
      SignalNumber.hangUp.sendHere()
      #expect(await signals.makeAsyncIterator().next(isolation: nil) == nil)
    }
  }

  @Test func `signals that nobody has asked for yet are one set`() async {
    await #expect(processExitsWith: .success) {
      let seen = Deliveries<SignalNumber>()
      let cancel = try await Form.source.watch([.hangUp, .user1], { seen.append($0) }, {})
      let signals = try await Async.Signals(of: [.hangUp, .user1])
      // Both may be asked for before the second one has come; one after another, they never are one set.
      var isOneSet = false
      for round in 1...1_000 where !isOneSet {
        SignalNumber.hangUp.sendHere()
        SignalNumber.user1.sendHere()
        await seen.wait(count: 2 * round)
        let first = await signals.makeAsyncIterator().next(isolation: nil)
        isOneSet = first == [.hangUp, .user1]
        if !isOneSet { _ = await signals.makeAsyncIterator().next(isolation: nil) }
      }
      #expect(isOneSet)
      cancel()
    }
  }

  @Test func `numbers print as names`() {
    #expect("\(SignalNumber.hangUp) \(SignalNumber(SIGSEGV))" == "SIGHUP SIGSEGV")
    #expect("\(SignalNumber(40))" == "signal 40")
  }
}

/// Watches each signal eight times, from tasks that begin at once.
private func beginAtOnce(_ form: SignalTests.Form) async throws {
  let numbers: [Int32] = [
    SIGHUP, SIGINT, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGTERM, SIGTSTP, SIGTTIN, SIGTTOU, SIGXCPU,
    SIGXFSZ, SIGVTALRM, SIGIO, SIGCONT, SIGWINCH, SIGURG,
  ]
  for signal in numbers.map({ SignalNumber($0) }) {
    let told = Deliveries<SignalNumber>()
    let over = Deliveries<Void>()
    try await withThrowingTaskGroup(of: (@Sendable () -> Void).self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await form.watch([signal], { told.append($0) }, { over.append(()) })
        }
      }
      var cancels: [@Sendable () -> Void] = []
      for try await cancel in group { cancels.append(cancel) }
      signal.sendHere()
      #expect(await told.wait(count: 8) == Array(repeating: signal, count: 8))
      for cancel in cancels { cancel() }
    }
    await over.wait(count: 8)
  }
}

extension SignalNumber {
  /// Sends the signal to this process.
  func sendHere() { Foundation.kill(getpid(), rawValue) }
}
