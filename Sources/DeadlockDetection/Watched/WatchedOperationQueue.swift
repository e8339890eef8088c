import Foundation

/// An OperationQueue that is watched.
public final class WatchedOperationQueue: Sendable {
  private let real = OperationQueue()
  private let slots: Slots
  private let all: All

  /// Makes a queue.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the place where it was made.
  ///   - maxConcurrentOperationCount: How many operations run beside each other, 1 or more; nil for as many as
  ///     the system likes.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  public init(
    _ name: String? = nil, maxConcurrentOperationCount: Int? = nil,
    detector: DeadlockDetector = .shared, file: StaticString = #fileID, line: UInt = #line
  ) {
    let place = Place(file, line)
    slots = Slots("turn in operation queue", name: name, detector: detector, at: place)
    slots.limit = maxConcurrentOperationCount
    all = All("end of all of operation queue", name: name, detector: detector, at: place)
    real.name = name
    if let maxConcurrentOperationCount {
      real.maxConcurrentOperationCount = maxConcurrentOperationCount
    }
  }

  /// Has an operation run when its dependencies have finished and a place is free.
  public func addOperation(
    _ operation: WatchedOperation, file: StaticString = #fileID, line: UInt = #line
  ) {
    let detector = slots.detector
    detector.change {
      all.finishes.removeAll(where: \.isOver)
      all.finishes.append(operation.finish)
      slots.finishes = all.finishes
    }
    operation.need(slots, at: Place(file, line))
    real.addOperation(operation)
  }

  /// Has work run as an operation.
  public func addOperation(
    _ name: String? = nil, file: StaticString = #fileID, line: UInt = #line,
    _ work: @escaping @Sendable () -> Void
  ) {
    addOperation(
      WatchedOperation(name, detector: slots.detector, file: file, line: line, work), file: file,
      line: line)
  }

  /// Has operations run when their dependencies have finished and places are free.
  public func addOperations(
    _ operations: [WatchedOperation], waitUntilFinished: Bool, file: StaticString = #fileID,
    line: UInt = #line
  ) {
    for operation in operations { addOperation(operation, file: file, line: line) }
    guard waitUntilFinished else { return }
    for operation in operations { operation.waitUntilFinished(file: file, line: line) }
  }

  /// How many operations run beside each other; -1 for as many as the system likes.
  public var maxConcurrentOperationCount: Int {
    get { real.maxConcurrentOperationCount }
    set {
      slots.detector.change { slots.limit = newValue < 0 ? nil : newValue }
      real.maxConcurrentOperationCount = newValue
    }
  }

  /// Waits until every operation has finished.
  public func waitUntilAllOperationsAreFinished(
    file: StaticString = #fileID, line: UInt = #line
  ) {
    try! slots.detector.wait(for: all, at: Place(file, line), refuses: false) {
      real.waitUntilAllOperationsAreFinished()
    }
  }

  /// Waits until every operation has finished, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func waitUntilAllOperationsAreFinishedOrThrow(
    file: StaticString = #fileID, line: UInt = #line
  ) throws(DeadlockError) {
    try slots.detector.wait(for: all, at: Place(file, line), refuses: true) {
      real.waitUntilAllOperationsAreFinished()
    }
  }
}

/// That one more operation may run: one of those that run has to finish. Used under the detector's lock.
private final class Slots: Resource, @unchecked Sendable {
  var limit: Int?
  var finishes: [Finish] = []

  override var demands: [Demand<Party>] {
    guard let limit else { return [] }
    let running = finishes.filter { $0.isRunning && !$0.isOver }
    return running.count < limit ? [] : [Demand(enders: running.map(\.party))]
  }
}

/// That every operation has finished. Used under the detector's lock.
private final class All: Resource, @unchecked Sendable {
  var finishes: [Finish] = []

  override var demands: [Demand<Party>] { finishes.flatMap(\.demands) }
}
