import Dispatch

/// A DispatchGroup that is watched.
///
/// A wait needs every member to leave. Blocks that a ``WatchedQueue`` runs for it are known members, and so is
/// a ``promise()``; who leaves after a bare ``enter()`` is not known.
public final class WatchedGroup: Sendable {
  let real = DispatchGroup()
  let resource: Members

  /// Makes a group without members.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the type or function, or else the place, where it was made.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - function: The type whose property it is, or the function that makes it: what a report calls it by.
  public init(
    _ name: String? = nil, detector: DeadlockDetector = .shared, file: StaticString = #fileID,
    line: UInt = #line, function: StaticString = #function
  ) {
    resource = Members(
      "group", name: name, detector: detector, madeIn: function, at: Place(file, line))
  }

  /// Adds a member of whom nothing is known.
  public func enter() {
    resource.detector.change {
      resource.unknown += 1
      real.enter()
    }
  }

  /// Takes away a member of whom nothing is known.
  public func leave() {
    leave { resource.unknown -= 1 }
  }

  /// Adds a member who leaves when the promise is kept.
  public func promise() -> Promise {
    let debt = Debt()
    enter(debt)
    return Promise(resource, debt) { [self] in leave(debt) }
  }

  /// Waits until there is no member.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    try! wait(at: Place(file, line), refuses: false)
  }

  /// Waits until there is no member, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func waitOrThrow(file: StaticString = #fileID, line: UInt = #line) throws(DeadlockError) {
    try wait(at: Place(file, line), refuses: true)
  }

  /// Waits until there is no member or a moment has come; such a wait ends by itself and is no edge.
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult { real.wait(timeout: timeout) }

  /// Runs work when there is no member.
  public func notify(queue: WatchedQueue, execute work: @escaping @Sendable () -> Void) {
    real.notify(queue: queue.real) { queue.run(work) }
  }

  func enter(_ debt: Debt) {
    resource.detector.change {
      resource.debts.append(debt)
      real.enter()
    }
  }

  func leave(_ debt: Debt) { leave { resource.debts.removeAll { $0 === debt } } }

  /// Whoever waits when the last one leaves is free, even if others enter before it goes on.
  private func leave(_ body: () -> Void) {
    var free: [DispatchSemaphore] = []
    let isEmpty = { [resource] in resource.isEmpty }
    resource.detector.change(resource, endsWaits: isEmpty) {
      body()
      real.leave()
      if isEmpty() { swap(&free, &resource.waiting) }
    }
    for semaphore in free { semaphore.signal() }
  }

  /// Waits for a turn that was asked for in one step with looking for members: the real group could be waited
  /// for only afterwards, and whoever entered meanwhile, too.
  private func wait(at place: Place, refuses: Bool) throws(DeadlockError) {
    let turn = DispatchSemaphore(value: 0)
    let isEmpty = resource.detector.change {
      if !resource.isEmpty { resource.waiting.append(turn) }
      return resource.isEmpty
    }
    if isEmpty { return }
    let strand = resource.strand
    resource.detector.checkPool(strand, waitsFor: resource, at: place)
    let isWaiting = { [resource] in resource.waiting.contains { $0 === turn } }
    do {
      let wait = try resource.detector.draw(
        strand, waitsFor: [resource], at: place, refuses: refuses, ifNeeded: isWaiting)
      turn.wait()
      resource.detector.erase(wait)
    } catch {
      resource.detector.change { resource.waiting.removeAll { $0 === turn } }
      throw error
    }
  }
}

/// A group's members. Used under the detector's lock.
final class Members: Debtor, @unchecked Sendable {
  var unknown = 0
  /// Those who are told when it is empty.
  var waiting: [DispatchSemaphore] = []
  var isEmpty: Bool { debts.isEmpty && unknown == 0 && !isBroken }

  /// That each of them leaves.
  override var demands: [Demand<Party>] {
    debts.map { Demand(enders: $0.enders) } + (unknown > 0 ? [.byAnyone] : [])
      + (isBroken ? [Demand(enders: [])] : [])
  }
}
