import Foundation
import Synchronization

/// An NSLock that is watched.
///
/// Where nobody else wants it, taking and releasing it touches no state that threads share but the lock
/// itself; a wait is drawn into the graph only when trying has failed.
public final class WatchedLock: Sendable {
  private let real = NSLock()
  private let resource: Resource
  private let unlockAction = Mutex<(@Sendable () -> Void)?>(nil)
  private let hasUnlockAction = Atomic(false)

  /// Makes a lock that nobody holds.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the type or function, or else the place, where it was made.
  ///   - class: Locks of one class are ordered against those of another as one; among themselves any
  ///     consistent order is right. By default all that are made at this place.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - function: The type whose property it is, or the function that makes it: what a report calls it by.
  public init(
    _ name: String? = nil, class: String? = nil, detector: DeadlockDetector = .shared,
    file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    resource = Resource(
      "lock", name: name, class: `class`, detector: detector, madeIn: function,
      at: Place(file, line))
  }

  /// Waits for the lock and takes it.
  ///
  /// - Parameters:
  ///   - file: Where a report says it was taken.
  ///   - line: Where a report says it was taken.
  public func lock(file: StaticString = #fileID, line: UInt = #line) {
    try! lock(at: Place(file, line), refuses: false)
  }

  /// Waits for the lock and takes it, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed.
  public func lockOrThrow(
    file: StaticString = #fileID, line: UInt = #line
  ) throws(DeadlockError) {
    try lock(at: Place(file, line), refuses: true)
  }

  @inline(__always) private func lock(at place: Place, refuses: Bool) throws(DeadlockError) {
    let strand = resource.strand
    if real.try() {
      resource.take(strand, at: place)
    } else {
      try resource.wait(for: real, strand, at: place, refuses: refuses)
    }
  }

  /// Takes the lock if it is free.
  ///
  /// - Returns: Whether it was.
  public func `try`(file: StaticString = #fileID, line: UInt = #line) -> Bool {
    guard real.try() else { return false }
    resource.take(resource.strand, at: Place(file, line), isTry: true)
    return true
  }

  /// Waits for the lock until a moment, and takes it; such a wait ends by itself and is no edge.
  ///
  /// - Returns: Whether it was taken.
  public func lock(
    before limit: Date, file: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    guard real.lock(before: limit) else { return false }
    resource.take(resource.strand, at: Place(file, line), isTry: true)
    return true
  }

  /// Gives the lock back.
  public func unlock() {
    resource.release()
    real.unlock()
    if hasUnlockAction.load(ordering: .relaxed) { unlockAction.withLock { $0 }?() }
  }

  /// Sets what a thread does as soon as it has given the lock back.
  ///
  /// So a test comes between two periods of one thread without luck: whoever reads under a lock, and takes the lock
  /// anew to write, finds what the body has done in between.
  ///
  /// - Parameter body: What is done, on the thread that has given the lock back; nil for nothing. It may take the lock.
  public func afterUnlock(_ body: (@Sendable () -> Void)?) {
    unlockAction.withLock { $0 = body }
    hasUnlockAction.store(body != nil, ordering: .relaxed)
  }

  /// Holds the lock for the time of the body.
  public func withLock<R>(
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> R
  ) rethrows -> R {
    lock(file: file, line: line)
    defer { unlock() }
    return try body()
  }

  /// Holds the lock for the time of the body, unless waiting for it is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed, or what the body throws.
  public func withLockOrThrow<R>(
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> R
  ) throws -> R {
    try lockOrThrow(file: file, line: line)
    defer { unlock() }
    return try body()
  }
}

extension Resource {
  /// Waits for a lock that was not free a moment ago, and takes it.
  ///
  /// - Throws: ``DeadlockError`` if it refuses.
  @inline(never) func wait(
    for real: some NSLocking, _ strand: Strand, at place: Place, refuses: Bool
  ) throws(DeadlockError) {
    let wait = try detector.draw(
      strand, waitsFor: [self], at: place,
      refuses: refuses)
    real.lock()
    detector.grant([self], to: strand, after: wait)
    hold(strand, at: place)
  }
}
