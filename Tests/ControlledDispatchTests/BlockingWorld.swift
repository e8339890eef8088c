import Interleaving

@testable import ControlledDispatch

/// What strands have said and seen; it keeps nothing of an execution alive.
final class BlockingRecord: @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  var words: [Int] = []
  var registers: [[Int]]
  var hasEnded = false

  init(strands: Int) { registers = Array(repeating: [], count: strands) }

  var text: [[Int]] { [words] + registers }
}

/// Runs a program, once an execution.
final class BlockingRuns: @unchecked Sendable {
  // Sendable: the executions of one exploration take turns.
  let program: BlockingProgram
  private var record: BlockingRecord?
  private var count = 0
  /// What was said and seen in executions that did not come to their end.
  private(set) var unfinished: Set<[[Int]]> = []

  init(_ program: BlockingProgram) { self.program = program }

  /// Takes note of the last execution.
  func close() {
    // The first may have been begun anew, on threads; it is repeated anyway.
    if count > 1, let record, !record.hasEnded { unfinished.insert(record.text) }
    record = nil
  }

  func run() -> [[Int]] {
    close()
    count += 1
    if let width = program.workers { WorkerPool.limit(to: width) }
    let record = BlockingRecord(strands: program.strands.count)
    self.record = record
    // The exploration keeps it, so that closures of its own need not.
    let world = world
    for (group, count) in zip(world.groups, program.entered) {
      for _ in 0..<count { group.enter() }
    }
    strands(
      program.strands.enumerated().map { index, steps in
        {
          for (position, step) in steps.enumerated() {
            world.take(step, strand: index, word: index * 10 + position + 1)
            // How far it came, where nothing could go on.
            record.registers[index].append(-position)
          }
        }
      })
    if program.isAwaited { world.await() }
    // What has been said is read in a step of its own.
    world.voice.perform(.load, "hears")
    record.hasEnded = true
    return record.text
  }

  /// What the strands of the execution under way share.
  var world: BlockingWorld {
    Control.current!.attachment(of: self) { BlockingWorld(self, record!) }
  }
}

/// What the strands of a program share.
final class BlockingWorld: @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  let runs: BlockingRuns
  let record: BlockingRecord
  let voice = ControlledObject("voice")
  let sum = Shared(0, "sum")
  let groups = [DispatchGroup(), DispatchGroup()]
  let semaphore = DispatchSemaphore(value: 0)
  let items: [DispatchWorkItem]
  let operations: [Operation]
  let operationQueue = OperationQueue()
  private let serial = DispatchQueue(label: "serial")
  private let concurrent = DispatchQueue(label: "concurrent", attributes: .concurrent)

  init(_ runs: BlockingRuns, _ record: BlockingRecord) {
    (self.runs, self.record) = (runs, record)
    let program = runs.program
    items = program.items.enumerated().map { index, body in
      DispatchWorkItem { runs.world.do(body, word: 100 + index) }
    }
    operations = program.operations.enumerated().map { index, body in
      let operation = BlockOperation { runs.world.do(body, word: 200 + index) }
      if program.completes { operation.completionBlock = { runs.world.say(300 + index) } }
      return operation
    }
    guard !operations.isEmpty else { return }
    operationQueue.maxConcurrentOperationCount = program.width
    if program.startsSuspended { operationQueue.isSuspended = true }
  }

  func queue(_ queue: BlockingProgram.Queue) -> DispatchQueue {
    switch queue {
    case .serial: serial
    case .concurrent: concurrent
    case .global: .global()
    }
  }

  func say(_ word: Int) {
    voice.perform(.update, "says \(word) to")
    record.words.append(word)
  }

  func `do`(_ body: BlockingProgram.Body, word: Int) {
    switch body {
    case .nothing: break
    case .say: say(word)
    case .leave: groups[0].leave()
    case .enterAndLeave:
      groups[0].enter()
      groups[0].leave()
    case .signal: semaphore.signal()
    case .addOperation: operations.last.map(operationQueue.addOperation)
    case .cancelOperation: operations.last?.cancel()
    case .add: sum.value += 1
    }
  }

  /// Waits for what the strands have submitted, as far as queues tell.
  func await() {
    if !operations.isEmpty { operationQueue.waitUntilAllOperationsAreFinished() }
    serial.sync {}
    concurrent.sync(flags: .barrier) {}
  }
}
