import Foundation

/// The shape with a lock around the state.
///
/// Its known bug: observers are told while the lock is held. They ask for the state at once, which wants the lock.
extension Wrong {
  final class Import: Operation, @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private var hasBegun = false
    private var hasEnded = false

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && !hasEnded } }
    override var isFinished: Bool { lock.withLock { hasEnded } }

    override func start() {
      willChangeValue(forKey: "isExecuting")
      lock.withLock { hasBegun = true }
      didChangeValue(forKey: "isExecuting")
      DispatchQueue.global().async { self.end() }
    }

    private func end() {
      lock.lock()
      defer { lock.unlock() }
      guard !hasEnded else { return }
      willChangeValue(forKey: "isFinished")
      hasEnded = true
      didChangeValue(forKey: "isFinished")
    }
  }
}

extension Right {
  final class Import: Operation, @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private var hasBegun = false
    private var hasEnded = false

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && !hasEnded } }
    override var isFinished: Bool { lock.withLock { hasEnded } }

    override func start() {
      willChangeValue(forKey: "isExecuting")
      lock.withLock { hasBegun = true }
      didChangeValue(forKey: "isExecuting")
      DispatchQueue.global().async { self.end() }
    }

    private func end() {
      willChangeValue(forKey: "isFinished")
      lock.withLock { hasEnded = true }
      didChangeValue(forKey: "isFinished")
    }
  }
}
