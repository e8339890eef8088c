import Workbook

// Threads with fixed priorities, in a child process: a mistake with them takes a processor away.

extension Hazard {
  static let semaphore = inversion("semaphore") { IndexSemaphore() }
  static let lock = inversion("lock") { IndexLock() }
  static let serialQueue = inversion("serial-queue") { IndexSerialQueue() }
  static let mutex = inversion("mutex") { IndexMutex() }
  static let protect = inversion("protect") { IndexPosixMutex(.protect(ceiling: 3)) }

  /// Low is inside for 20 ms; middle computes for so many milliseconds.
  static func without(middle: Int) -> Hazard {
    inversion("without-\(middle)", .long(middle)) { IndexPosixMutex(.none) }
  }

  static func with(middle: Int) -> Hazard {
    inversion("with-\(middle)", .long(middle)) { IndexPosixMutex(.inherit) }
  }

  private static func inversion(
    _ name: String, _ load: Load = Load(),
    of index: @escaping @Sendable () -> some BlockingIndex
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
