import Foundation
import Synchronization

/// Orders steps of threads in time without ordering their memory: a gate of relaxed atomics.
///
/// With it a demo makes a data race certain. Each thread waits for the step of another, so the bad
/// schedule happens in every run; but a relaxed store and the relaxed load that sees it are no
/// happens-before edge, so the accesses around them stay unordered, and ThreadSanitizer reports
/// them. Any other gate (a semaphore, a lock, a queue) would order the accesses and hide the race.
///
/// On x86-64 the steps also reach the memory in this order. A processor with a weaker order, such as
/// an ARM one, may still show a thread the older value; the demos that read again after a gate were
/// not run there.
///
/// Waiting looks again and again; the order comes from the gate, however long that takes.
public final class RelaxedGate: Sendable {
  /// In microseconds. To spin instead would flood the history in which ThreadSanitizer looks up the
  /// other side of a race, and lose the report.
  static let pollInterval: UInt32 = 50

  private let reached = Atomic<Int>(0)

  /// Creates a gate at step 0.
  public init() {}

  /// Says that a step has been reached.
  ///
  /// - Parameter step: The step, higher than any reached before.
  // Not inlined: an opaque call keeps the compiler from moving the accesses around the gate.
  @inline(never)
  public func reach(_ step: Int) {
    reached.store(step, ordering: .relaxed)
  }

  /// Waits until a step has been reached.
  ///
  /// - Parameter step: The step.
  @inline(never)
  public func wait(for step: Int) {
    while !hasReached(step) { usleep(Self.pollInterval) }
  }

  /// Whether a step has been reached.
  @inline(never)
  public func hasReached(_ step: Int) -> Bool {
    reached.load(ordering: .relaxed) >= step
  }
}
