import Foundation

/// The shape of one block that gets a closure to finish with.
///
/// Its known bug: `start()` calls `super.start()`, which finishes the operation when `main()` has returned, and the
/// block goes on behind it.
extension Wrong {
  final class AsyncBlockOperation: Operation, @unchecked Sendable {
    // Sendable: nothing of its own changes.
    private let block: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void

    init(block: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void) {
      self.block = block
    }

    override var isAsynchronous: Bool { true }

    override func start() {
      if isCancelled { return }
      super.start()
    }

    override func main() { block { self.finish() } }

    private func finish() {
      willChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isFinished")
    }
  }
}

extension Right {
  final class AsyncBlockOperation: Operation, @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private let block: @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void
    private var hasBegun = false
    private var hasEnded = false

    init(block: @escaping @Sendable (_ finish: @escaping @Sendable () -> Void) -> Void) {
      self.block = block
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && !hasEnded } }
    override var isFinished: Bool { lock.withLock { hasEnded } }

    override func start() {
      if isCancelled { return finish() }
      willChangeValue(forKey: "isExecuting")
      lock.withLock { hasBegun = true }
      didChangeValue(forKey: "isExecuting")
      block { self.finish() }
    }

    private func finish() {
      willChangeValue(forKey: "isFinished")
      lock.withLock { hasEnded = true }
      didChangeValue(forKey: "isFinished")
    }
  }
}
