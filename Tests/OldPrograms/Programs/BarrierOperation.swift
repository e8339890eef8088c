import Foundation

/// The shape with a state behind a concurrent queue: read with `sync`, written with a barrier.
///
/// Its known bug: the state is asked for and changed in two calls, so that the response and a cancellation both end the
/// operation and report twice.
extension Wrong {
  final class Upload: Operation, @unchecked Sendable {
    // Sendable: `storedState` is used on `stateQueue` only.
    private enum State { case ready, executing, finished }

    private let stateQueue = DispatchQueue(label: "upload.state", attributes: .concurrent)
    private let send: @Sendable (_ response: @escaping @Sendable () -> Void) -> Void
    private let report: @Sendable (_ isSent: Bool) -> Void
    private var storedState = State.ready

    init(
      send: @escaping @Sendable (_ response: @escaping @Sendable () -> Void) -> Void,
      report: @escaping @Sendable (_ isSent: Bool) -> Void
    ) {
      self.send = send
      self.report = report
    }

    private var state: State {
      get { stateQueue.sync { storedState } }
      set { stateQueue.sync(flags: .barrier) { storedState = newValue } }
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
      willChangeValue(forKey: "isExecuting")
      state = .executing
      didChangeValue(forKey: "isExecuting")
      if isCancelled { return end(isSent: false) }
      send { self.end(isSent: true) }
    }

    override func cancel() {
      super.cancel()
      end(isSent: false)
    }

    private func end(isSent: Bool) {
      guard state == .executing else { return }
      report(isSent)
      willChangeValue(forKey: "isFinished")
      state = .finished
      didChangeValue(forKey: "isFinished")
    }
  }
}

extension Right {
  final class Upload: Operation, @unchecked Sendable {
    // Sendable: `storedState` is used on `stateQueue` only.
    private enum State { case ready, executing, ending, finished }

    private let stateQueue = DispatchQueue(label: "upload.state", attributes: .concurrent)
    private let send: @Sendable (_ response: @escaping @Sendable () -> Void) -> Void
    private let report: @Sendable (_ isSent: Bool) -> Void
    private var storedState = State.ready

    init(
      send: @escaping @Sendable (_ response: @escaping @Sendable () -> Void) -> Void,
      report: @escaping @Sendable (_ isSent: Bool) -> Void
    ) {
      self.send = send
      self.report = report
    }

    private var state: State { stateQueue.sync { storedState } }

    /// - Returns: Whether this call has changed the state.
    private func move(from old: State, to new: State) -> Bool {
      stateQueue.sync(flags: .barrier) {
        guard storedState == old else { return false }
        storedState = new
        return true
      }
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { [.executing, .ending].contains(state) }
    override var isFinished: Bool { state == .finished }

    override func start() {
      willChangeValue(forKey: "isExecuting")
      _ = move(from: .ready, to: .executing)
      didChangeValue(forKey: "isExecuting")
      if isCancelled { return end(isSent: false) }
      send { self.end(isSent: true) }
    }

    override func cancel() {
      super.cancel()
      end(isSent: false)
    }

    private func end(isSent: Bool) {
      guard move(from: .executing, to: .ending) else { return }
      report(isSent)
      willChangeValue(forKey: "isFinished")
      _ = move(from: .ending, to: .finished)
      didChangeValue(forKey: "isFinished")
    }
  }
}
