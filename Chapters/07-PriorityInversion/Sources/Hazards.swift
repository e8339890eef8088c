import Workbook

// Threads with fixed priorities, in a child process: a mistake with them takes a processor away.

extension Hazard {
  static let semaphore = inversion("semaphore") { Counted.Index() }
  static let lock = inversion("lock") { Locked.Index() }
  static let serialQueue = inversion("serial-queue") { Queued.Index() }
  static let mutex = inversion("mutex") { Mutexed.Index() }
  static let protect = inversion("protect") { Posix.Index(.protect(ceiling: 3)) }

  /// Low is inside for 20 ms; middle computes for so many milliseconds.
  static func without(middle: Int) -> Hazard {
    inversion("without-\(middle)", .long(middle)) { Posix.Index(.none) }
  }

  static func with(middle: Int) -> Hazard {
    inversion("with-\(middle)", .long(middle)) { Posix.Index(.inherit) }
  }

  private static func inversion(
    _ name: String, _ load: Load = Load(),
    of index: @escaping @Sendable () -> some BlockingIndexing
  ) -> Hazard {
    Hazard("priority-inversion/\(name)") { tell(index(), load, $0) }
  }
}

extension Load {
  /// As in the plot: low is inside for 20.
  static func long(_ middle: Int) -> Load {
    Load(low: .milliseconds(20), middle: .milliseconds(middle))
  }
}
