import Dispatch

/// A DispatchSemaphore that is watched.
///
/// A semaphore has no owner. What is known of who will signal it decides whether a deadlock is confirmed or
/// suspected, see ``Discipline``.
public final class WatchedSemaphore: Sendable {
  /// Who signals.
  public enum Discipline: Sendable {
    /// Anyone. A deadlock is suspected if all who have promised to signal are members of it; or, without
    /// promises, all who have taken the units that it began with, as long as only such have signalled.
    case open
    /// Only those who have taken a unit, as with a lock: a deadlock is confirmed.
    case returned
    /// Only those who have promised to, with ``WatchedSemaphore/promise()``: a deadlock is confirmed, and so
    /// is a wait when no promise is left.
    case promised
  }

  private let real: DispatchSemaphore
  private let resource: Units

  /// Makes a semaphore.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the type or function, or else the place, where it was made.
  ///   - value: How many units there are at first, 0 or more.
  ///   - discipline: Who signals.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - function: The type whose property it is, or the function that makes it: what a report calls it by.
  public init(
    _ name: String? = nil, value: Int, discipline: Discipline = .open,
    detector: DeadlockDetector = .shared, file: StaticString = #fileID, line: UInt = #line,
    function: StaticString = #function
  ) {
    real = DispatchSemaphore(value: value)
    resource = Units(
      name: name, value: value, discipline: discipline, detector: detector,
      madeIn: function, at: Place(file, line))
  }

  /// Waits for a unit and takes it.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    try! wait(at: Place(file, line), refuses: false)
  }

  /// Waits for a unit and takes it, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func waitOrThrow(file: StaticString = #fileID, line: UInt = #line) throws(DeadlockError) {
    try wait(at: Place(file, line), refuses: true)
  }

  /// Waits for a unit until a moment, and takes it; such a wait ends by itself and is no edge.
  public func wait(
    timeout: DispatchTime, file: StaticString = #fileID, line: UInt = #line
  ) -> DispatchTimeoutResult {
    let result = real.wait(timeout: timeout)
    if result == .success { take(resource.strand, Place(file, line), isTry: true) }
    return result
  }

  /// Gives a unit back.
  ///
  /// - Returns: Not zero if that lets a thread go on.
  @discardableResult public func signal() -> Int {
    let strand = resource.strand
    resource.noteGiven(by: strand.party)
    if resource.isLock { resource.release() }
    return real.signal()
  }

  /// A promise to signal.
  public func promise() -> Promise {
    let debt = Debt()
    resource.detector.change { resource.debts.append(debt) }
    return Promise(resource, debt) { [self] in
      resource.detector.change {
        resource.noteGiven(by: nil)
        resource.debts.removeAll { $0 === debt }
      }
      real.signal()
    }
  }

  private func wait(at place: Place, refuses: Bool) throws(DeadlockError) {
    let strand = resource.strand
    // A moment long past: no waiting.
    if real.wait(timeout: DispatchTime(uptimeNanoseconds: 1)) == .timedOut {
      resource.detector.checkPool(strand, waitsFor: resource, at: place)
      let wait = try resource.detector.draw(
        strand, waitsFor: [resource], at: place,
        refuses: refuses)
      real.wait()
      resource.detector.erase(wait)
    }
    take(strand, place)
  }

  private func take(_ strand: Strand, _ place: Place, isTry: Bool = false) {
    resource.noteTaken(by: strand.party, at: place)
    // Who began to wait before is seen, since that has looked at the units after it was drawn.
    if resource.waiterCount.load(ordering: .relaxed) > 0 { resource.detector.change(resource) {} }
    if resource.isLock { resource.take(strand, at: place, isTry: isTry) }
  }
}

/// A semaphore's units.
///
/// They have a lock of their own, which is taken within the detector's or alone, so that those who need not wait do not
/// meet. While the detector looks for who waits for whom, those who are drawn as waiting cannot go on; and what it takes
/// for stuck is what only those could change.
private final class Units: Event, @unchecked Sendable {
  // Sendable: what changes is in `counts`, behind a lock.
  private struct Counts {
    /// Not fewer than there are: counted before one is given, and after one is taken.
    var available: Int
    /// Who has taken a unit that is not given back, in that order.
    var takings: [(party: Party, place: Place)] = []
    /// Whether someone has signalled who had taken a unit.
    var isReturned = false
    /// Whether someone has signalled who had taken no unit.
    var isHandedOff = false
  }

  private let initial: Int
  private let discipline: WatchedSemaphore.Discipline
  private let counts: Guarded<Counts>

  init(
    name: String?, value: Int, discipline: WatchedSemaphore.Discipline,
    detector: DeadlockDetector, madeIn maker: StaticString, at place: Place
  ) {
    initial = value
    counts = Guarded(Counts(available: value))
    self.discipline = discipline
    super.init("semaphore", name: name, detector: detector, madeIn: maker, at: place)
    isClosed = discipline == .promised
  }

  /// Whether it is a lock: held by one at a time, who gives it back. So it has a place in the order of locks.
  var isLock: Bool { discipline == .returned && initial == 1 }

  /// A producer may take all units before any consumer has begun to give them back.
  override var isSuspectAlone: Bool { counts { $0.isReturned } || hasPromises }

  func noteTaken(by party: Party, at place: Place) {
    counts { counts in
      counts.available -= 1
      if discipline != .promised, !counts.isHandedOff { counts.takings.append((party, place)) }
    }
  }

  /// - Parameter party: Who gives it, or nil for one that has been promised.
  /// - Complexity: O(units that others have taken since this one was).
  func noteGiven(by party: Party?) {
    counts { counts in
      counts.available += 1
      guard let party, let last = counts.takings.lastIndex(where: { $0.party == party }) else {
        precondition(
          discipline != .returned || party == nil,
          "\(name) is declared to be signalled only by a party that has taken a unit")
        if discipline == .open {
          counts.isHandedOff = true
          counts.takings = []
        }
        return
      }
      counts.isReturned = true
      // As a rule it is the last, for which there is a quicker way.
      if last == counts.takings.count - 1 {
        counts.takings.removeLast()
      } else {
        counts.takings.remove(at: last)
      }
    }
  }

  override var demands: [Demand<Party>] {
    counts { counts in
      if counts.available > 0 { return [] }
      if discipline == .promised || hasPromises { return [debtDemand] }
      if counts.takings.count < initial || initial == 0 { return [.byAnyone] }
      let holders = Array(Set(counts.takings.map(\.party)))
      if discipline == .returned { return [Demand(enders: holders)] }
      if counts.isHandedOff { return [.byAnyone] }
      return [
        Demand(
          enders: holders,
          doubt: "\(name) has no owner: others than the takers of its units may signal it")
      ]
    }
  }

  override func place(takenBy party: Party) -> Place? {
    counts { counts in counts.takings.last { $0.party == party }?.place }
  }
}
