import Interleaving

import struct Foundation.Date

/// The stand-in for Foundation's condition: a lock, and a place to wait for what it guards to change.
///
/// A signal wakes any one of those who wait when it comes; each choice is explored. Nobody wakes without
/// one.
open class NSCondition: NSLocking, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  let controlled: ControlledLock
  private let waiters: ControlledObject

  /// A name for people and for reports.
  open var name: String? { didSet { controlled.object.rename(name) } }

  /// - Parameter maker: What a report calls it after: the type whose property it is, or the function that makes it.
  public init(maker: String = #function) {
    controlled = ControlledLock("NSCondition", madeIn: maker)
    waiters = ControlledObject("signals", .condition(Waiters()))
  }

  /// - Parameter kind: What it is, as its users spell it.
  init(_ kind: String, madeIn maker: String) {
    controlled = ControlledLock(kind, madeIn: maker)
    waiters = ControlledObject("signals", .condition(Waiters()))
  }

  open func lock() { controlled.lock() }
  open func unlock() { controlled.unlock() }

  /// Gives the lock back until it is woken and can take the lock again.
  open func wait() {
    let lock = controlled.object
    let control = lock.control
    guard controlled.isHeldByCaller else {
      control.trap("waits for \(lock.name) without holding its lock")
    }
    nameWaiters()
    control.perform(
      VisibleOperation([lock.use(.release), waiters.use(.register(control.strand))]),
      "waits for \(lock.name)")
    control.perform(
      VisibleOperation([waiters.use(.wake(control.strand)), lock.use(.acquire)]),
      "is woken by \(lock.name)")
  }

  /// Gives the lock back until it is woken, or until a moment of virtual time, and can take the lock again.
  ///
  /// - Returns: Whether it was woken.
  open func wait(until limit: Date) -> Bool {
    let lock = controlled.object
    let control = lock.control
    guard controlled.isHeldByCaller else {
      control.trap("waits for \(lock.name) without holding its lock")
    }
    nameWaiters()
    let moment = DispatchTime(limit, control)
    let isForEver = moment == .distantFuture
    let clock: (Action) -> VisibleOperation.Use = { .init($0, .clock, initially: .clock([])) }
    control.perform(
      VisibleOperation(
        [lock.use(.release), waiters.use(.register(control.strand))]
          + (isForEver ? [] : [clock(.arm(moment.milliseconds))])),
      "waits for \(lock.name)")
    let result = control.perform(
      VisibleOperation(
        [waiters.use(.wake(control.strand))]
          + (isForEver ? [] : [clock(.expire(moment.milliseconds))]), givesUp: !isForEver))
    control.perform(
      VisibleOperation([lock.use(.acquire)]),
      result == .done ? "is woken by \(lock.name)" : "gives up: its time is over")
    return result == .done
  }

  /// Wakes one of those who wait, if any.
  open func signal() { perform(.notify, "signals") }

  /// Wakes all who wait.
  open func broadcast() { perform(.notifyAll, "wakes all of") }

  private func perform(_ action: Action, _ verb: String) {
    nameWaiters()
    waiters.perform(action, verb)
  }

  /// Who waits for a signal waits for the condition, which is called as its lock is.
  private func nameWaiters() {
    waiters.control.rename(waiters.id, waiters.control.name(of: controlled.object.id))
  }
}
