import Dispatch
import Workbook

extension Subject {
  static let pausedAndCancelled = Subject(
    "paused-and-cancelled",
    asks: "A handler pauses its source as somebody cancels it. Is the descriptor closed?",
    right: .allowed("closed"), .forbidden("left open"),
    implementations: [
      .before(
        "a source",
        .surprising("left open", "a source that is suspended calls no cancel handler").onlyExplored
      ) { (_: Stage) in
        try whatBecomes(within: 1) { counter, isClosed in
          // Sendable: sources may be used on any thread.
          nonisolated(unsafe) let source = counter.makeSource(queue: DispatchQueue(label: "reads"))
          source.setEventHandler { source.suspend() }
          source.setCancelHandler {
            counter.close()
            isClosed.signal()
          }
          source.activate()
          return { source.cancel() }
        }
      }
      .code("PausedAndCancelled.swift", "source.suspend()")
      .whereWorkTakesNoTime.notPlayed("which of them is first is up to Dispatch"),
      .before("a source and its owner") { (_: Stage) in
        try whatBecomes { counter, isClosed in
          let source = counter.makeSource(queue: DispatchQueue(label: "reads"))
          let owner = BalancedSource(source)
          source.setEventHandler { [weak owner] in try? owner?.suspend() }
          source.setCancelHandler {
            counter.close()
            isClosed.signal()
          }
          owner.activate()
          return { owner.cancel() }
        }
      }
      .code("BalancedSource.swift", "for _ in 0..<account.suspensions"),
      .after("a sequence that nobody asks") { _ in
        let isClosed = Gate()
        let port = try Async.Port { isClosed.open() }
        try port.send()
        port.close()
        await isClosed.wait()
        return "closed"
      }
      .code("PortAsync.swift", "readiness.end()"),
    ])
}

/// Lets a source fire as it is cancelled, and its owner go.
///
/// - Parameters:
///   - seconds: How long the end is waited for.
///   - begin: Begins to read a counter, which is closed at the end; returns what cancels that.
private func whatBecomes(
  within seconds: Double = .infinity,
  of begin: (EventCounter, DispatchSemaphore) throws -> () -> Void
) throws -> String {
  let (counter, isClosed) = (try EventCounter(), DispatchSemaphore(value: 0))
  var cancel: (() -> Void)? = try begin(counter, isClosed)
  try counter.add(1)
  cancel?()
  cancel = nil
  return isClosed.wait(timeout: .now() + seconds) == .success ? "closed" : "left open"
}
