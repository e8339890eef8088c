import Foundation
import Synchronization

/// A Mutex of Synchronization that is watched.
///
/// An NSLock stands for the real one, which cannot be tried and then waited for by itself.
public struct WatchedMutex<Value: ~Copyable>: ~Copyable, @unchecked Sendable {
  // Sendable: as a Mutex is.
  private let real = NSLock()
  private let resource: Resource
  /// Taken by the holder of the lock alone; it keeps the value where the real one would.
  private let value: Mutex<Value>

  /// Makes a mutex that guards a value.
  ///
  /// - Parameters:
  ///   - initialValue: The value.
  ///   - name: What a report calls it; otherwise the type or function, or else the place, where it was made.
  ///   - class: Locks of one class are ordered against those of another as one. By default all that are made
  ///     at this place.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  ///   - function: The type whose property it is, or the function that makes it: what a report calls it by.
  public init(
    _ initialValue: consuming sending Value, name: String? = nil, class: String? = nil,
    detector: DeadlockDetector = .shared, file: StaticString = #fileID, line: UInt = #line,
    function: StaticString = #function
  ) {
    value = Mutex(initialValue)
    resource = Resource(
      "mutex", name: name, class: `class`, detector: detector, madeIn: function,
      at: Place(file, line))
  }

  /// Waits for the mutex and holds it for the time of the body.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public borrowing func withLock<R: ~Copyable, E: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R {
    let strand = resource.strand
    if real.try() {
      resource.take(strand, at: Place(file, line))
    } else {
      try! resource.wait(for: real, strand, at: Place(file, line), refuses: false)
    }
    defer { unlock() }
    return try value.withLock(body)
  }

  /// Holds the mutex for the time of the body, if nobody else does.
  ///
  /// - Returns: What the body returns; nil if the mutex was held.
  /// - Throws: What the body throws.
  public borrowing func withLockIfAvailable<R: ~Copyable, E: Error>(
    file: StaticString = #fileID, line: UInt = #line,
    _ body: (inout sending Value) throws(E) -> sending R
  ) throws(E) -> sending R? {
    guard real.try() else { return nil }
    resource.take(resource.strand, at: Place(file, line), isTry: true)
    defer { unlock() }
    return try value.withLock(body)
  }

  private borrowing func unlock() {
    resource.release()
    real.unlock()
  }
}
