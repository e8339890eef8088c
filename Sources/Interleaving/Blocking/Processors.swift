import Foundation

/// The processors, each lent to one exploration at a time: several on one would wait for one another at
/// each turn of a strand.
enum Processors {
  private final class Lent: @unchecked Sendable {
    // Sendable: only used while `condition` is locked.
    var processors: Set<Int> = []
  }

  private static let lent = Lent()
  private static let condition = NSCondition()

  /// Waits for a processor that is free; after a minute shares one, so that nobody waits for ever for an
  /// exploration that is stuck.
  static func borrow() -> Int {
    let count = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let end = Date.now + 60
    return condition.withLock {
      while lent.processors.count >= count, condition.wait(until: end) {}
      let processor = (0..<count).first { !lent.processors.contains($0) } ?? 0
      lent.processors.insert(processor)
      return processor
    }
  }

  static func giveBack(_ processor: Int) {
    condition.withLock {
      lent.processors.remove(processor)
      condition.signal()
    }
  }
}
