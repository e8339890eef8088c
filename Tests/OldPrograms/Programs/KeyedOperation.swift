import Foundation

/// The shape with one state, whose raw value is the key that observers are told of.
///
/// Its known bug: cancelled before it is started, it returns from `start()` and never says that it has finished.
extension Wrong {
  class KeyedOperation: Operation, @unchecked Sendable {
    // Sendable: `storedState` is used under `lock` only.
    enum State: String {
      case ready = "isReady"
      case executing = "isExecuting"
      case finished = "isFinished"
    }

    private let lock = NSLock()
    private var storedState = State.ready

    private var state: State {
      get { lock.withLock { storedState } }
      set {
        let oldValue = state
        willChangeValue(forKey: newValue.rawValue)
        willChangeValue(forKey: oldValue.rawValue)
        lock.withLock { storedState = newValue }
        didChangeValue(forKey: oldValue.rawValue)
        didChangeValue(forKey: newValue.rawValue)
      }
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
      if isCancelled { return }
      state = .executing
      main()
    }

    func finish() { state = .finished }
  }

  final class Thumbnail: KeyedOperation, @unchecked Sendable {
    // Sendable: the operation's own queue item writes, and it is read once the operation has finished.
    private(set) var width: Int?

    override func main() {
      DispatchQueue.global(qos: .utility).async {
        self.width = 64
        self.finish()
      }
    }
  }
}

extension Right {
  class KeyedOperation: Operation, @unchecked Sendable {
    // Sendable: `storedState` is used under `lock` only.
    enum State: String {
      case ready = "isReady"
      case executing = "isExecuting"
      case finished = "isFinished"
    }

    private let lock = NSLock()
    private var storedState = State.ready

    private var state: State {
      get { lock.withLock { storedState } }
      set {
        let oldValue = state
        willChangeValue(forKey: newValue.rawValue)
        willChangeValue(forKey: oldValue.rawValue)
        lock.withLock { storedState = newValue }
        didChangeValue(forKey: oldValue.rawValue)
        didChangeValue(forKey: newValue.rawValue)
      }
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
      if isCancelled {
        finish()
        return
      }
      state = .executing
      main()
    }

    func finish() { state = .finished }
  }

  final class Thumbnail: KeyedOperation, @unchecked Sendable {
    // Sendable: the operation's own queue item writes, and it is read once the operation has finished.
    private(set) var width: Int?

    override func main() {
      DispatchQueue.global(qos: .utility).async {
        self.width = 64
        self.finish()
      }
    }
  }
}
