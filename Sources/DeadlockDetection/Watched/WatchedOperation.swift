import Foundation

/// An Operation that is watched: subclass it, and override `main`, or give it a body.
///
/// A dependency is drawn when it is added, since two operations that depend on each other never run, unless
/// one of them is cancelled. Operations that override `start` to end later are not watched.
open class WatchedOperation: Operation, @unchecked Sendable {
  // Sendable: the body is set once, and the rest is used under the detector's lock.
  let finish: Finish
  private let body: @Sendable () -> Void
  /// What it depends on, and the queue it was added to.
  private var needs: [Resource] = []

  /// Makes an operation.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the place where it was made.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - body: What `main` does, unless that is overridden.
  public init(
    _ name: String? = nil, detector: DeadlockDetector = .shared, file: StaticString = #fileID,
    line: UInt = #line, _ body: @escaping @Sendable () -> Void = {}
  ) {
    finish = Finish("end of operation", name: name, detector: detector, at: Place(file, line))
    self.body = body
    super.init()
    self.name = name
  }

  deinit { finish.detector.erase(party) }

  private var party: Party { finish.number }

  /// What a report calls it.
  private var knownName: String { name ?? "\(finish.madeAt)" }

  open override func main() { body() }

  open override func start() {
    let strand = Strand.current
    finish.detector.erase(party)
    finish.detector.change {
      finish.party = strand.party
      finish.isRunning = true
    }
    let (run, operation) = (strand.record.pointee.run, strand.record.pointee.operation)
    strand.record.pointee.run = Resource.nextNumber()
    strand.record.pointee.operation = knownName
    super.start()
    strand.record.pointee.run = run
    strand.record.pointee.operation = operation
    finish.detector.change { finish.isOver = true }
  }

  open override func addDependency(_ operation: Operation) {
    add(operation, at: finish.madeAt)
    super.addDependency(operation)
  }

  /// Lets the operation run only after another has finished.
  ///
  /// - Parameters:
  ///   - operation: The other.
  ///   - file: Where a report says that it waits.
  ///   - line: Where a report says that it waits.
  public func addDependency(
    _ operation: WatchedOperation, file: StaticString = #fileID, line: UInt = #line
  ) {
    add(operation, at: Place(file, line))
    super.addDependency(operation)
  }

  open override func removeDependency(_ operation: Operation) {
    super.removeDependency(operation)
    guard let operation = operation as? WatchedOperation else { return }
    draw(finish.madeAt, goesOn: false) { $0.removeAll { $0 === operation.finish } }
  }

  /// An operation that is cancelled waits for nothing.
  open override func cancel() {
    super.cancel()
    finish.detector.change { finish.isCancelled = true }
    finish.detector.erase(party)
  }

  open override func waitUntilFinished() { try! wait(at: finish.madeAt, refuses: false) }

  /// Waits until the operation has finished.
  public func waitUntilFinished(file: StaticString = #fileID, line: UInt = #line) {
    try! wait(at: Place(file, line), refuses: false)
  }

  /// Waits until the operation has finished, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func waitUntilFinishedOrThrow(
    file: StaticString = #fileID, line: UInt = #line
  ) throws(DeadlockError) {
    try wait(at: Place(file, line), refuses: true)
  }

  private func wait(at place: Place, refuses: Bool) throws(DeadlockError) {
    if isFinished { return }
    try finish.detector.wait(for: finish, at: place, refuses: refuses) { super.waitUntilFinished() }
  }

  private func add(_ operation: Operation, at place: Place) {
    guard let operation = operation as? WatchedOperation else { return }
    draw(place) { $0.append(operation.finish) }
  }

  func need(_ slot: Resource, at place: Place) { draw(place) { $0.append(slot) } }

  /// Changes what it needs, and draws its wait anew.
  ///
  /// - Parameter goesOn: Whether it needs what it needed before, and more.
  private func draw(
    _ place: Place, goesOn: Bool = true, _ change: (inout [Resource]) -> Void
  ) {
    let participant = Participant(kind: .operation, name: knownName, thread: nil, queue: nil)
    try! finish.detector.draw(
      [party], { participant }, waitsFor: changed(by: change), at: place, goesOn: goesOn,
      // Not the open properties: an override may take a watched lock.
      ifNeeded: { !finish.isCancelled && !finish.isRunning && !finish.isOver })
  }

  private func changed(by change: (inout [Resource]) -> Void) -> [Resource] {
    change(&needs)
    return needs
  }
}

/// That an operation has finished. Used under the detector's lock.
final class Finish: Resource, @unchecked Sendable {
  /// The operation itself; once it runs, who runs it.
  lazy var party: Party = number
  var isRunning = false
  var isOver = false
  var isCancelled = false

  override var demands: [Demand<Party>] { isOver ? [] : [Demand(enders: [party])] }
}

extension DeadlockDetector {
  /// Draws the wait of the calling strand for what it does not own afterwards, and waits.
  ///
  /// - Throws: ``DeadlockError`` if it refuses.
  func wait(
    for resource: Resource, at place: Place, refuses: Bool, _ body: () -> Void
  ) throws(DeadlockError) {
    let strand = Strand.current
    checkPool(strand, waitsFor: resource, at: place)
    let wait = try draw(
      strand, waitsFor: [resource], at: place,
      refuses: refuses)
    body()
    erase(wait)
  }
}
