/// A Task that is watched: who awaits its value waits for it.
public final class WatchedTask<Success: Sendable, Failure: Error>: Sendable {
  private let real: Task<Success, Failure>
  private let end: End

  private init(_ real: Task<Success, Failure>, _ end: End) {
    self.real = real
    self.end = end
  }

  /// Asks the task to stop.
  ///
  /// - Parameters:
  ///   - file: Where a report says that it was cancelled.
  ///   - line: Where a report says that it was cancelled.
  public func cancel(file: StaticString = #fileID, line: UInt = #line) {
    TaskStatus.$cancellation.withValue(Place(file, line)) { real.cancel() }
  }

  /// Whether it has been asked to stop.
  public var isCancelled: Bool { real.isCancelled }

  /// Waits until the task has ended.
  ///
  /// - Returns: What it returned, or threw.
  public func result(
    file: StaticString = #fileID, line: UInt = #line
  ) async -> Result<Success, Failure> {
    await result(at: Place(file, line))
  }

  private func result(at place: Place) async -> Result<Success, Failure> {
    let wait = try! end.draw(at: place, refuses: false)
    let result = await real.result
    end.detector.erase(wait)
    return result
  }

  /// What it returned, or threw, when it has ended; a wait for it is said to be where the task was made.
  public var result: Result<Success, Failure> { get async { await result(at: end.madeAt) } }

  /// Waits until the task has ended, unless that is a deadlock.
  ///
  /// - Returns: What it returned.
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed, or what the task threw.
  public func valueOrThrow(
    file: StaticString = #fileID, line: UInt = #line
  ) async throws -> Success {
    let wait = try end.draw(at: Place(file, line), refuses: true)
    defer { end.detector.erase(wait) }
    return try await real.value
  }
}

extension WatchedTask where Failure == Never {
  /// Begins a task.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise its number.
  ///   - priority: Its priority.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - operation: What it does.
  @discardableResult public convenience init(
    _ name: String? = nil, priority: TaskPriority? = nil, detector: DeadlockDetector = .shared,
    file: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture
    operation: @escaping @Sendable @isolated(any) () async -> Success
  ) {
    let end = End("value of task", name: name, detector: detector, at: Place(file, line))
    self.init(
      Task(name: name, priority: priority) {
        end.begin()
        defer { end.finish() }
        return await operation()
      }, end)
  }

  /// Waits until the task has ended.
  ///
  /// - Returns: What it returned.
  public func value(file: StaticString = #fileID, line: UInt = #line) async -> Success {
    await result(file: file, line: line).get()
  }

  /// What it returned, when it has ended; a wait for it is said to be where the task was made.
  public var value: Success { get async { await result.get() } }
}

extension WatchedTask where Success == Never, Failure == Never {
  /// Gives others a turn.
  public static func yield() async { await Task.yield() }

  /// Whether the current task has been asked to stop.
  public static var isCancelled: Bool { Task.isCancelled }
}

extension WatchedTask where Failure == any Error {
  /// Begins a task that may throw.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise its number.
  ///   - priority: Its priority.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - operation: What it does.
  @discardableResult public convenience init(
    _ name: String? = nil, priority: TaskPriority? = nil, detector: DeadlockDetector = .shared,
    file: StaticString = #fileID, line: UInt = #line,
    @_inheritActorContext @_implicitSelfCapture
    operation: @escaping @Sendable @isolated(any) () async throws -> Success
  ) {
    let end = End("value of task", name: name, detector: detector, at: Place(file, line))
    self.init(
      Task(name: name, priority: priority) {
        end.begin()
        defer { end.finish() }
        return try await operation()
      }, end)
  }

  /// Waits until the task has ended.
  ///
  /// - Returns: What it returned.
  /// - Throws: What it threw.
  public func value(file: StaticString = #fileID, line: UInt = #line) async throws -> Success {
    try await result(file: file, line: line).get()
  }

  /// What it returned, when it has ended; a wait for it is said to be where the task was made.
  public var value: Success { get async throws { try await result.get() } }
}

/// That a task has ended. Used under the detector's lock.
private final class End: Resource, @unchecked Sendable {
  private var task: Party?
  private var isOver = false

  func begin() {
    let task = Strand.current.task
    detector.change { self.task = task }
  }

  func finish() { detector.change { isOver = true } }

  override var demands: [Demand<Party>] { isOver ? [] : [Demand(enders: task.map { [$0] })] }

  /// Draws the wait of the calling task.
  ///
  /// - Returns: The wait; nil if none was drawn.
  /// - Throws: ``DeadlockError`` if it refuses.
  func draw(at place: Place, refuses: Bool) throws(DeadlockError) -> Wait? {
    let strand = Strand.current
    detector.checkHeldAcrossAwait(strand, awaiting: self, at: place)
    let participant = strand.participant
    return try detector.draw(
      [strand.task], { participant }, waitsFor: [self], at: place, refuses: refuses,
      ifNeeded: { !isOver })
  }
}
