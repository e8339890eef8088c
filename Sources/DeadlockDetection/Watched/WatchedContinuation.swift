/// The way back to a task that is suspended; whoever has it can resume the task, once.
///
/// When it is dropped without that, no one is left to resume the task: a finding, and for a throwing one also
/// the error that the task is resumed with.
public final class WatchedContinuation<Success: Sendable, Failure: Error>: Sendable {
  private let real: UnsafeContinuation<Success, Failure>
  private let resumption: Resumption

  fileprivate init(_ real: UnsafeContinuation<Success, Failure>, _ resumption: Resumption) {
    self.real = real
    self.resumption = resumption
  }

  deinit { if let error = resumption.drop() { resumption.fail?(error) } }

  /// Makes the calling thread or task the one that will resume it.
  public func own() {
    let party = Strand.current.party
    resumption.detector.change(resumption) { resumption.debt.owner = party }
  }

  /// Resumes the task with the result, unless its wait has been refused.
  ///
  /// - Parameters:
  ///   - result: What the task gets, or throws.
  ///   - file: Where a report says that it was resumed.
  ///   - line: Where a report says that it was resumed.
  public func resume(
    with result: Result<Success, Failure>, file: StaticString = #fileID, line: UInt = #line
  ) {
    guard resumption.keep() else { return }
    guard let status = resumption.status else { return real.resume(with: result) }
    status.whileTaking(at: Place(file, line)) { real.resume(with: result) }
  }

  /// Resumes the task, which gets the value; the other parameters are those of ``resume(with:file:line:)``.
  public func resume(
    returning value: Success, file: StaticString = #fileID, line: UInt = #line
  ) {
    resume(with: .success(value), file: file, line: line)
  }

  /// Resumes the task, which throws the error; the other parameters are those of ``resume(with:file:line:)``.
  public func resume(
    throwing error: Failure, file: StaticString = #fileID, line: UInt = #line
  ) {
    resume(with: .failure(error), file: file, line: line)
  }
}

extension WatchedContinuation where Success == Void {
  /// Resumes the task; the parameters are those of ``resume(with:file:line:)``.
  public func resume(file: StaticString = #fileID, line: UInt = #line) {
    resume(returning: (), file: file, line: line)
  }
}

/// Suspends the task until the continuation is resumed.
///
/// - Parameters:
///   - name: What a report calls it; otherwise the place of this call.
///   - detector: Who watches it.
///   - isolation: Where it runs: where its caller does.
///   - file: The file where a report says that the task waits.
///   - line: The line where a report says that the task waits.
///   - body: What is given the continuation, before the task is suspended.
/// - Returns: What the continuation was resumed with.
public func withWatchedContinuation<Success: Sendable>(
  _ name: String? = nil, detector: DeadlockDetector = .shared,
  isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
  _ body: (WatchedContinuation<Success, Never>) -> Void
) async -> Success {
  let resumption = Resumption(
    "continuation", name: name, detector: detector, at: Place(file, line))
  return await withUnsafeContinuation { real in
    body(WatchedContinuation(real, resumption))
    try! resumption.draw(refuses: false)
  }
}

/// Suspends the task until the continuation is resumed, or dropped.
///
/// - Parameters:
///   - name: What a report calls it; otherwise the place of this call.
///   - detector: Who watches it.
///   - isolation: Where it runs: where its caller does.
///   - file: The file where a report says that the task waits.
///   - line: The line where a report says that the task waits.
///   - body: What is given the continuation, before the task is suspended.
/// - Returns: What the continuation was resumed with.
/// - Throws: What the continuation was resumed with, or ``DeadlockError`` if it never can be.
public func withWatchedThrowingContinuation<Success: Sendable>(
  _ name: String? = nil, detector: DeadlockDetector = .shared,
  isolation: isolated (any Actor)? = #isolation, file: StaticString = #fileID, line: UInt = #line,
  _ body: (WatchedContinuation<Success, any Error>) -> Void
) async throws -> Success {
  let resumption = Resumption(
    "continuation", name: name, detector: detector, at: Place(file, line))
  return try await withUnsafeThrowingContinuation { real in
    resumption.fail = { real.resume(throwing: $0) }
    body(WatchedContinuation(real, resumption))
    do { try resumption.draw(refuses: true) } catch {
      if resumption.refuse() { real.resume(throwing: error) }
    }
  }
}

/// That a continuation is resumed. Used under the detector's lock, but for `fail`, which is set first.
private final class Resumption: Resource, @unchecked Sendable {
  let debt = Debt()
  /// The lock of the task that waits, if whoever cancels it calls a handler.
  let status = TaskStatus.current
  var fail: (@Sendable (DeadlockError) -> Void)?
  private var waiter: Party?
  /// Whether the continuation was dropped.
  private var isBroken = false
  /// Whether the task was given an error instead of waiting.
  private var isRefused = false

  override var demands: [Demand<Party>] {
    debt.isKept ? [] : [Demand(enders: isBroken ? [] : debt.enders)]
  }

  /// Draws the wait of the calling task, unless it has been resumed.
  func draw(refuses: Bool) throws(DeadlockError) {
    let strand = Strand.current
    detector.checkHeldAcrossAwait(strand, awaiting: self, at: madeAt)
    let participant = strand.participant
    try detector.draw(
      [strand.task], { participant }, waitsFor: [self], at: madeAt, refuses: refuses,
      ifNeeded: {
        guard !debt.isKept else { return false }
        waiter = strand.task
        return true
      })
  }

  /// Erases the wait before it ends.
  ///
  /// - Returns: Whether the task is to be resumed.
  func keep() -> Bool {
    let (waiter, isRefused) = detector.change {
      precondition(!debt.isKept, "\(name) was resumed twice")
      debt.isKept = !self.isRefused
      return (self.waiter, self.isRefused)
    }
    if let waiter, !isRefused { detector.erase(waiter) }
    return !isRefused
  }

  /// Refuses the wait, unless it is over.
  ///
  /// - Returns: Whether the task is to be resumed.
  func refuse() -> Bool {
    detector.change {
      isRefused = !debt.isKept
      return isRefused
    }
  }

  /// Notes that nobody is left to resume the task.
  ///
  /// - Returns: What the task has to be told, if it waits by now and can be told anything.
  func drop() -> DeadlockError? {
    // Whoever resumed it has let go of the continuation since.
    guard !debt.isKept else { return nil }
    return detector.endlessWait(for: self, erases: fail != nil) {
      isBroken = true
      return isRefused ? nil : waiter
    }.map(DeadlockError.init)
  }
}
