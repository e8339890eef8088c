import Foundation

/// The shape that came from Objective-C: a flag behind each property.
///
/// Its known bug: nothing guards the flags, which the queue and everybody else reads.
extension Wrong {
  final class Backup: Operation, @unchecked Sendable {
    // Sendable: it is not. Several threads use the flags.
    private var _executing = false
    private var _finished = false

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { _executing }
    override var isFinished: Bool { _finished }

    override func start() {
      willChangeValue(forKey: "isExecuting")
      _executing = true
      didChangeValue(forKey: "isExecuting")
      DispatchQueue.global(qos: .background).async { self.complete() }
    }

    private func complete() {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      _executing = false
      _finished = true
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    }
  }
}

extension Right {
  final class Backup: Operation, @unchecked Sendable {
    // Sendable: the flags are used under `lock` only.
    private let lock = NSLock()
    private var _executing = false
    private var _finished = false

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { _executing } }
    override var isFinished: Bool { lock.withLock { _finished } }

    override func start() {
      willChangeValue(forKey: "isExecuting")
      lock.withLock { _executing = true }
      didChangeValue(forKey: "isExecuting")
      DispatchQueue.global(qos: .background).async { self.complete() }
    }

    private func complete() {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      lock.withLock {
        _executing = false
        _finished = true
      }
      didChangeValue(forKey: "isExecuting")
      didChangeValue(forKey: "isFinished")
    }
  }
}
