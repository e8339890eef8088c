import Foundation

/// An NSCondition that is watched.
///
/// Nobody knows who will signal it, so anyone may; but the lock that a wait needs to return is its holder's
/// alone. NSCondition cannot be tried, so each taking of its lock goes through the graph.
public final class WatchedCondition: Sendable {
  private let real = NSCondition()
  private let resource: Resource
  private let event: Event

  /// Makes a condition whose lock nobody holds.
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
    let place = Place(file, line)
    resource = Resource(
      "lock of condition", name: name, detector: detector, madeIn: function, at: place)
    event = Event(
      "signal of condition", name: name, detector: detector, madeIn: function, at: place)
  }

  /// Waits for the condition's lock and takes it.
  public func lock(file: StaticString = #fileID, line: UInt = #line) {
    try! resource.wait(for: real, .current, at: Place(file, line), refuses: false)
  }

  /// Waits for the condition's lock and takes it, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func lockOrThrow(file: StaticString = #fileID, line: UInt = #line) throws(DeadlockError) {
    try resource.wait(for: real, .current, at: Place(file, line), refuses: true)
  }

  /// Gives the lock back.
  public func unlock() {
    resource.release()
    real.unlock()
  }

  /// Holds the lock for the time of the body.
  public func withLock<R>(
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> R
  ) rethrows -> R {
    lock(file: file, line: line)
    defer { unlock() }
    return try body()
  }

  /// Gives the lock back, waits for a signal, and takes the lock again.
  ///
  /// As with the real one it may return without a signal.
  public func wait(file: StaticString = #fileID, line: UInt = #line) {
    let strand = Strand.current
    let place = Place(file, line)
    resource.detector.checkPool(strand, waitsFor: event, at: place)
    resource.release()
    let wait = try! resource.detector.draw(
      strand, waitsFor: [event, resource], at: place)
    real.wait()
    resource.detector.grant([resource], to: strand, after: wait)
    resource.hold(strand, at: place)
  }

  /// Gives the lock back, waits for a signal until a moment, and takes the lock again.
  ///
  /// - Returns: Whether it returned before that moment.
  public func wait(
    until limit: Date, file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    let strand = Strand.current
    resource.release()
    // The signal comes or the time does; what it surely needs is the lock.
    let wait = try! resource.detector.draw(
      strand, waitsFor: [resource],
      at: Place(file, line))
    let isSignalled = real.wait(until: limit)
    resource.detector.grant([resource], to: strand, after: wait)
    resource.hold(strand, at: Place(file, line))
    return isSignalled
  }

  /// Lets one who waits go on.
  public func signal() { real.signal() }

  /// Lets all who wait go on.
  public func broadcast() { real.broadcast() }
}
