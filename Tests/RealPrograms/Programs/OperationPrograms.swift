import Dispatch
import Foundation

extension Programs {
  /// Ready when it is told so, whatever it depends on.
  class Switched: Operation, @unchecked Sendable {
    // Sendable: `isOn` and `isDone` are only used while `lock` is locked.
    private let lock = NSLock()
    private var isOn = false
    private var isDone = false

    var isSwitchedOn: Bool { lock.withLock { isOn } }
    var hasEnded: Bool { lock.withLock { isDone } }

    func switchOn() {
      willChangeValue(forKey: "isReady")
      lock.withLock { isOn = true }
      didChangeValue(forKey: "isReady")
    }

    func end() {
      willChangeValue(forKey: "isFinished")
      lock.withLock { isDone = true }
      didChangeValue(forKey: "isFinished")
    }
  }

  final class Careful: Switched, @unchecked Sendable {
    override var isReady: Bool { super.isReady && isSwitchedOn }
  }

  final class Careless: Switched, @unchecked Sendable {
    override var isReady: Bool { true }
  }

  /// Ends when it is told so, and not when `main` returns.
  final class Late: Switched, @unchecked Sendable {
    let hasBegun = DispatchSemaphore(value: 0)
    override var isFinished: Bool { hasEnded }
    override func main() { hasBegun.signal() }
  }

  /// Says within `main` that it has ended, and is started by what it inherits.
  final class Twice: Switched, @unchecked Sendable {
    override var isFinished: Bool { hasEnded }
    override func main() { end() }
  }

  static func waitsUntilReady() -> [String] {
    let (log, queue, operation) = (Log(), OperationQueue(), Careful())
    let first = BlockOperation { log("first") }
    operation.addDependency(first)
    queue.addOperations([operation, first], waitUntilFinished: false)
    first.waitUntilFinished()
    log("ready \(operation.isReady), finished \(operation.isFinished)")
    operation.switchOn()
    operation.waitUntilFinished()
    log("ready \(operation.isReady), finished \(operation.isFinished)")
    return log.entries
  }

  static func cancelledAndNotReady() -> [String] {
    let (log, queue, operation) = (Log(), OperationQueue(), Careful())
    operation.cancel()
    queue.addOperation(operation)
    log("finished \(operation.isFinished)")
    operation.switchOn()
    operation.waitUntilFinished()
    log("finished \(operation.isFinished), cancelled \(operation.isCancelled)")
    return log.entries
  }

  static func readyWithoutSuper() -> [String] {
    let (log, queue, operation) = (Log(), OperationQueue(), Careless())
    let hasRun = DispatchSemaphore(value: 0)
    let first = BlockOperation {
      hasRun.wait()
      log("first")
    }
    operation.addDependency(first)
    queue.addOperations([operation, first], waitUntilFinished: false)
    operation.waitUntilFinished()
    log("second")
    hasRun.signal()
    first.waitUntilFinished()
    return log.entries
  }

  static func endsLate() -> [String] {
    let (log, queue, operation) = (Log(), OperationQueue(), Late())
    let next = BlockOperation { log("next") }
    next.addDependency(operation)
    queue.addOperations([operation, next], waitUntilFinished: false)
    operation.hasBegun.wait()
    log("ends")
    operation.end()
    next.waitUntilFinished()
    return log.entries
  }

  static func endsTwice() -> [String] {
    let (log, operation) = (Log(), Twice())
    let completed = DispatchSemaphore(value: 0)
    operation.completionBlock = { completed.signal() }
    operation.start()
    completed.wait()
    completed.wait()
    log("completed twice")
    return log.entries
  }

  static func underlying() -> [String] {
    let (log, queue, serial) = (Log(), OperationQueue(), DispatchQueue(label: "serial"))
    let key = DispatchSpecificKey<String>()
    serial.setSpecific(key: key, value: "serial")
    queue.underlyingQueue = serial
    let isHere = queue.underlyingQueue === serial
    queue.addOperation {
      log("\(isHere) \(DispatchQueue.getSpecific(key: key) ?? "elsewhere")")
      log("\(OperationQueue.current === queue)")
    }
    queue.waitUntilAllOperationsAreFinished()
    return log.entries
  }

  static func properties() -> [String] {
    let (one, other, queue) = (Operation(), BlockOperation {}, OperationQueue())
    let before = [one.qualityOfService, queue.qualityOfService].map(\.rawValue)
    (one.qualityOfService, queue.qualityOfService) = (.utility, .background)
    let after = [one.qualityOfService, queue.qualityOfService].map(\.rawValue)
    other.start()
    other.cancel()
    return [
      "\(before) \(after) \(OperationQueue.main.qualityOfService.rawValue)",
      "\(Set([one, other, one]).count) \(one == other) \(one == one)",
      "\(one.queuePriority.rawValue) \(one.isReady) \(one.isAsynchronous)",
      "\(other.isFinished) \(other.isExecuting) \(other.isCancelled)",
    ]
  }
}
