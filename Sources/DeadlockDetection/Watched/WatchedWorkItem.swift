import Dispatch

/// A DispatchWorkItem that is watched.
///
/// Once it is on a ``WatchedQueue``, whoever waits for it waits for its turn there, and then for who runs it.
/// Before that anyone may run it.
public final class WatchedWorkItem: @unchecked Sendable {
  // Sendable: the real one locks what it keeps.
  private let real: DispatchWorkItem
  private let end: End
  let promise: Promise

  /// Makes an item that nobody runs yet.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the place where it was made.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - block: What it runs, once.
  public init(
    _ name: String? = nil, detector: DeadlockDetector = .shared, file: StaticString = #fileID,
    line: UInt = #line, block: @escaping @Sendable () -> Void
  ) {
    let end = End(name: name, detector: detector, at: Place(file, line))
    self.end = end
    promise = Promise(end, end.debt) {}
    real = DispatchWorkItem(block: block)
  }

  /// Waits until it has run.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    try! wait(at: Place(file, line), refuses: false)
  }

  /// Waits until it has run, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func waitOrThrow(file: StaticString = #fileID, line: UInt = #line) throws(DeadlockError) {
    try wait(at: Place(file, line), refuses: true)
  }

  private func wait(at place: Place, refuses: Bool) throws(DeadlockError) {
    // A moment long past: no waiting.
    if real.wait(timeout: DispatchTime(uptimeNanoseconds: 1)) == .success { return }
    try end.detector.wait(for: end, at: place, refuses: refuses) { real.wait() }
  }

  /// Keeps it from running, if it has not begun.
  public func cancel() { real.cancel() }

  /// Whether it has been cancelled.
  public var isCancelled: Bool { real.isCancelled }

  /// Runs it here and now.
  public func perform() {
    real.perform()
    promise.keep()
  }

  /// That it has run. Used under the detector's lock.
  private final class End: Event, @unchecked Sendable {
    let debt = Debt()

    init(name: String?, detector: DeadlockDetector, at place: Place) {
      super.init("end of work item", name: name, detector: detector, at: place)
      debts = [debt]
      isClosed = true
    }

    override var demands: [Demand<Party>] { debt.isKept ? [] : super.demands }
  }
}

extension WatchedQueue {
  /// Has a work item run on the queue later.
  public func async(
    execute item: WatchedWorkItem, file: StaticString = #fileID, line: UInt = #line
  ) {
    async(keeping: [item.promise], file: file, line: line) { item.perform() }
  }
}
