/// Runs an operation, and a handler at once when the task is cancelled meanwhile.
///
/// A task has a lock of its own. Whoever cancels it holds that lock while the handler runs, and whoever
/// resumes it when it is suspended takes the lock, too (Swift 6.3). So the handler holds it for the detector,
/// and the resumption of a ``WatchedContinuation`` that is made within the operation waits for it.
///
/// - Parameters:
///   - detector: Who watches it.
///   - operation: What is run.
///   - handler: What is called, on the thread of who cancels.
///   - isolation: Where it runs: where its caller does.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws.
public func withWatchedCancellationHandler<R>(
  detector: DeadlockDetector = .shared,
  operation: () async throws -> R, onCancel handler: @Sendable () -> Void,
  isolation: isolated (any Actor)? = #isolation
) async rethrows -> R {
  let status = TaskStatus(detector)
  let task = Strand.current.task
  return try await withTaskCancellationHandler {
    // A closure runs where its caller does only if it captures this (SE-0420).
    _ = isolation
    return try await TaskStatus.$current.withValue(status) {
      _ = isolation
      return try await operation()
    }
  } onCancel: {
    let strand = Strand.current
    // A task that was cancelled before calls the handler itself, without the lock.
    guard strand.task != task else { return handler() }
    status.take(strand, at: TaskStatus.cancellation ?? status.madeAt, isTry: true)
    defer { status.release() }
    handler()
  }
}

/// The lock of a task, while it has a handler.
final class TaskStatus: Resource, @unchecked Sendable {
  /// That of the current task.
  @TaskLocal static var current: TaskStatus?
  /// Where the code that runs was called that cancels a task.
  @TaskLocal static var cancellation: Place?

  init(_ detector: DeadlockDetector, file: StaticString = #fileID, line: UInt = #line) {
    super.init("lock of a task", name: nil, detector: detector, at: Place(file, line))
  }

  // It has no place of its own: the runtime made it.
  override var name: String { "the task's own lock" }

  /// Nothing is known of a cancellation that another has passed on.
  override func place(takenBy party: Party) -> Place? {
    super.place(takenBy: party).flatMap { $0 == madeAt ? nil : $0 }
  }
}

extension Resource {
  /// Draws a wait for the lock of a task for as long as a body takes it and gives it back.
  func whileTaking(at place: Place, _ body: () -> Void) {
    let strand = Strand.current
    let wait = try! detector.draw(
      strand, waitsFor: [self], at: place,
      ifNeeded: { ![0, strand.party].contains(owner.load(ordering: .relaxed)) })
    body()
    detector.erase(wait)
  }
}
