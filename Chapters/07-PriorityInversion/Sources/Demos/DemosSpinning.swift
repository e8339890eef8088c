import Dispatch
import Synchronization
import Workbook

extension Demo {
  static let spinning = Demo(
    "spinning",
    asks: "High needs what low is about to do, on one processor. Does it come to it?",
    sides: [
      .hazard(
        .before, "high looks at a flag, again and again", .spinning,
        .surprising("low has not run after 50 ms", "high has the processor, and low gets none"),
        .allowed(skipped), .forbidden("low has run")
      )
      .code("DemosSpinning.swift", "while !isDone"),
      .hazard(
        .before, "high waits for a semaphore", .waiting,
        .allowed("low has run", "high gives the processor away"), .allowed(skipped),
        .forbidden("low has not run after 50 ms")
      )
      .code("DemosSpinning.swift", "done.wait()"),
    ])
}

extension Hazard {
  /// High wants nothing but to see a flag; it gives up after 50 ms.
  fileprivate static let spinning = Hazard("priority-inversion/spinning") { transcript in
    let isDone = Atomic(false)
    let hasRun = Atomic(false)
    let highMayStart = DispatchSemaphore(value: 0)
    return onOneProcessor(transcript) {
      highMayStart.wait()
      let end = ContinuousClock.now + .milliseconds(50)
      while !isDone.load(ordering: .acquiring), ContinuousClock.now < end {}
      hasRun.store(isDone.load(ordering: .acquiring), ordering: .relaxed)
    } low: {
      highMayStart.signal()
      isDone.store(true, ordering: .releasing)
    } hasRun: {
      hasRun.load(ordering: .relaxed)
    }
  }

  fileprivate static let waiting = Hazard("priority-inversion/waiting") { transcript in
    let hasRun = Atomic(false)
    let (highMayStart, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    return onOneProcessor(transcript) {
      highMayStart.wait()
      done.wait()
      hasRun.store(true, ordering: .relaxed)
    } low: {
      highMayStart.signal()
      done.signal()
    } hasRun: {
      hasRun.load(ordering: .relaxed)
    }
  }
}

/// Runs high and low as threads on one processor; low lets high begin, and high goes before low at once.
private func onOneProcessor(
  _ transcript: Transcript, high: @escaping @Sendable () -> Void,
  low: @escaping @Sendable () -> Void, hasRun: () -> Bool
) -> String {
  do {
    try FixedPriorities.run([.init(2, run: high), .init(1, run: low)])
    return hasRun() ? "low has run" : "low has not run after 50 ms"
  } catch {
    transcript.say("\(error)")
    return skipped
  }
}
