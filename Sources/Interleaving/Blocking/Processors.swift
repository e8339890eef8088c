import Foundation

#if canImport(Glibc)
  import Glibc
#endif

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

  /// Keeps the calling thread on one of the processors that it may use, counted from 0 and round again; does
  /// nothing where that cannot be had.
  static func stay(on processor: Int) {
    #if canImport(Glibc)
      // Swift's Glibc module does not show them.
      typealias Affinity = @convention(c) (pid_t, Int, UnsafeMutableRawPointer) -> Int32
      guard let get = dlsym(nil, "sched_getaffinity"), let set = dlsym(nil, "sched_setaffinity")
      else { return }
      let words = MemoryLayout<cpu_set_t>.size / MemoryLayout<UInt>.size
      var permitted = [UInt](repeating: 0, count: words)
      let size = MemoryLayout<cpu_set_t>.size
      guard unsafeBitCast(get, to: Affinity.self)(0, size, &permitted) > -1 else { return }
      let processors = (0..<words * UInt.bitWidth).filter {
        permitted[$0 / UInt.bitWidth] >> ($0 % UInt.bitWidth) & 1 == 1
      }
      guard !processors.isEmpty else { return }
      let chosen = processors[processor % processors.count]
      var one = [UInt](repeating: 0, count: words)
      one[chosen / UInt.bitWidth] = 1 << (chosen % UInt.bitWidth)
      _ = unsafeBitCast(set, to: Affinity.self)(0, size, &one)
    #endif
  }
}
