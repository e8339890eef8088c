import Foundation

/// An NSRecursiveLock that is watched; its holder may take it again.
public final class WatchedRecursiveLock: @unchecked Sendable {
  // Sendable: the depth is its holder's.
  private let real = NSRecursiveLock()
  private let resource: Resource
  private var depth = 0

  /// Makes a lock that nobody holds.
  ///
  /// - Parameters:
  ///   - name: What a report calls it; otherwise the type or function, or else the place, where it was made.
  ///   - class: Locks of one class are ordered against those of another as one. By default all that are made
  ///     at this place.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - function: The type whose property it is, or the function that makes it: what a report calls it by.
  public init(
    _ name: String? = nil, class: String? = nil, detector: DeadlockDetector = .shared,
    file: StaticString = #fileID, line: UInt = #line, function: StaticString = #function
  ) {
    resource = Resource(
      "recursive lock", name: name, class: `class`, isThreadOwned: true, detector: detector,
      madeIn: function, at: Place(file, line))
  }

  /// Waits for the lock and takes it, or takes it once more.
  public func lock(file: StaticString = #fileID, line: UInt = #line) {
    try! lock(at: Place(file, line), refuses: false)
  }

  /// Waits for the lock and takes it, or takes it once more, unless waiting is a deadlock.
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
      note(strand, place)
    } else {
      try resource.wait(for: real, strand, at: place, refuses: refuses)
      depth = 1
    }
  }

  /// Takes the lock if it is free or the caller's own.
  ///
  /// - Returns: Whether it was.
  public func `try`(file: StaticString = #fileID, line: UInt = #line) -> Bool {
    guard real.try() else { return false }
    note(resource.strand, Place(file, line), isTry: true)
    return true
  }

  /// Gives the lock back, once.
  public func unlock() {
    let strand = resource.strand
    guard resource.thread == strand.record else {
      // The real one is its thread's: a task that comes back on another one cannot unlock it there.
      if strand.task != 0 { resource.reportMoved(strand) }
      return
    }
    depth -= 1
    if depth == 0 { resource.release() }
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

  private func note(_ strand: Strand, _ place: Place, isTry: Bool = false) {
    depth += 1
    if depth == 1 { resource.take(strand, at: place, isTry: isTry) }
  }
}
