import Interleaving

/// The queues on which a strand runs, the innermost last.
final class StrandContext {
  struct Frame {
    let queue: DispatchQueue
    let chain: [DispatchQueue]
    let owned: [DispatchQueue]
  }

  var frames: [Frame] = []
  /// Of `concurrentPerform`, if the strand is one.
  var iteration: Iteration?

  private final class Table {
    var contexts: [StrandID: StrandContext] = [:]
  }

  private static let tables = PerExecution { Table() }

  static func current(_ control: Control) -> StrandContext {
    let table = tables(control)
    if let context = table.contexts[control.strand] { return context }
    let context = StrandContext()
    table.contexts[control.strand] = context
    return context
  }

  /// Whether there may be a queue on which it runs.
  var isOnQueue: Bool { !frames.isEmpty || iteration?.caller.isOnQueue ?? false }

  func owns(_ queue: DispatchQueue) -> Bool {
    if frames.contains(where: { $0.owned.contains { $0 === queue } }) { return true }
    guard let iteration, iteration.caller.owns(queue) else { return false }
    return iteration.isOnCaller
  }

  func runs(on queue: DispatchQueue) -> Bool {
    if frames.contains(where: { $0.chain.contains { $0 === queue } }) { return true }
    guard let iteration, iteration.caller.runs(on: queue) else { return false }
    // Workers are threads of the global queue.
    return queue.kind == .global || iteration.isOnCaller
  }
}
