import Foundation

/// An operation whose work goes on when `start` has returned, and which ends with a result.
// Sendable because what changes is used under `lock` only; a subclass sees to its own.
class ResultOperation<Value: Sendable>: Operation, @unchecked Sendable {
  private let lock = NSLock()
  private let completion: Completion<Value>
  private var hasBegun = false
  private var isEnding = false
  private var ended: Result<Value, any Error>?

  /// - Parameter completion: Called once, before whatever depends on the operation begins; until it returns, the
  ///   operation keeps its place in the queue.
  init(then completion: @escaping Completion<Value>) { self.completion = completion }

  /// What came of it; there when it has finished.
  var result: Result<Value, any Error>? { lock.withLock { ended } }

  override var isAsynchronous: Bool { true }
  override var isExecuting: Bool { lock.withLock { hasBegun && ended == nil } }
  override var isFinished: Bool { lock.withLock { ended != nil } }

  override func start() {
    if isCancelled {
      // What it depends on may still go on. On Linux that uses this operation when it ends, even if it is gone by then.
      for dependency in dependencies { removeDependency(dependency) }
      return finish(with: .failure(CancellationError()))
    }
    willChangeValue(forKey: "isExecuting")
    lock.withLock { hasBegun = true }
    didChangeValue(forKey: "isExecuting")
    main()
  }

  /// Ends it; of several results the first one counts.
  func finish(with result: Result<Value, any Error>) {
    let isFirst = lock.withLock {
      defer { isEnding = true }
      return !isEnding
    }
    guard isFirst else { return }
    completion(result)
    willChangeValue(forKey: "isExecuting")
    willChangeValue(forKey: "isFinished")
    lock.withLock { ended = result }
    didChangeValue(forKey: "isFinished")
    didChangeValue(forKey: "isExecuting")
  }
}
