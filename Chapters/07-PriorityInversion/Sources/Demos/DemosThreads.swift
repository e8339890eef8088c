import PrioritySimulation
import Workbook

extension Side {
  /// Threads with fixed priorities in a child process, or a skip where they are not permitted.
  ///
  /// - Parameter isRaised: Whether whoever has what high wants is raised.
  static func thread(_ era: Era, _ mechanism: String, _ hazard: Hazard, _ isRaised: Bool) -> Side {
    isRaised
      ? .hazard(
        era, mechanism, hazard, .allowed("high before middle"), .allowed(skipped),
        .forbidden("high after middle"))
      : .hazard(
        era, mechanism, hazard, .surprising("high after middle", "nobody raises low"),
        .allowed(skipped), .forbidden("high before middle"))
  }
}

extension Demo {
  static let threeThreads = Demo(
    "three-threads",
    asks: "Three threads on one processor, high waits for what low has. Does it wait for middle?",
    sides: [
      .thread(.before, "DispatchSemaphore", .semaphore, false)
        .code("IndexSemaphore.swift", "turn.wait()"),
      .thread(.before, "NSLock", .lock, false)
        .code("IndexLock.swift", "func add"),
      .thread(.before, "queue.sync", .serialQueue, false)
        .code("IndexSerialQueue.swift", "func add"),
      .thread(.before, "PTHREAD_PRIO_NONE", .without(middle: 20), false)
        .code("IndexPosixMutex.swift", "case .none:"),
      .thread(.before, "PTHREAD_PRIO_NONE, a longer middle", .without(middle: 60), false)
        .code("IndexPosixMutex.swift", "case .none:"),
      .thread(.before, "PTHREAD_PRIO_INHERIT", .with(middle: 20), true)
        .code("IndexPosixMutex.swift", "case .inherit:"),
      .thread(.before, "PTHREAD_PRIO_INHERIT, a longer middle", .with(middle: 60), true)
        .code("IndexPosixMutex.swift", "case .inherit:"),
      .thread(.before, "PTHREAD_PRIO_PROTECT", .protect, true)
        .code("IndexPosixMutex.swift", "case .protect(let"),
      .thread(.after, "Mutex", .mutex, true)
        .code("IndexMutex.swift", "func add"),
    ])
}
