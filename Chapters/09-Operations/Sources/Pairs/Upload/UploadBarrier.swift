import Foundation
import Synchronization

extension BehindBarrier {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: `stored` is used behind the queue's barriers, and the request is in a lock.
    enum State: String {
      case ready = "isReady"
      case executing = "isExecuting"
      case finished = "isFinished"
    }

    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private let queue = DispatchQueue(label: "state", attributes: .concurrent)
    private var stored = State.ready
    private let request = Mutex<Request?>(nil)

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    private var state: State {
      get { queue.sync { stored } }
      set {
        let old = state
        willChangeValue(forKey: old.rawValue)
        willChangeValue(forKey: newValue.rawValue)
        queue.sync(flags: .barrier) { stored = newValue }
        didChangeValue(forKey: old.rawValue)
        didChangeValue(forKey: newValue.rawValue)
      }
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state == .executing }
    override var isFinished: Bool { state == .finished }

    override func start() {
      guard !isCancelled else {
        state = .finished
        return
      }
      state = .executing
      let request = send(photo) { self.end(with: $0) }
      self.request.withLock { $0 = request }
    }

    override func cancel() {
      super.cancel()
      request.withLock(\.self)?.cancel()
      end(with: .failure(CancellationError()))
    }

    private func end(with answer: Answer) {
      guard state == .executing else { return }
      report(answer)
      state = .finished
    }
  }
}
