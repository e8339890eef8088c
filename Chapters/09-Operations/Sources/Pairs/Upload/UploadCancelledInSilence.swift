import Foundation
import Synchronization

extension CancelledInSilence {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: its own state is in a lock.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private let state = Mutex((isExecuting: false, isFinished: false))

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { $0.isExecuting } }
    override var isFinished: Bool { state.withLock { $0.isFinished } }

    override func start() {
      if isCancelled { return }
      willChangeValue(forKey: "isExecuting")
      state.withLock { $0.isExecuting = true }
      didChangeValue(forKey: "isExecuting")
      _ = send(photo) { [self] answer in
        report(answer)
        finish()
      }
    }

    private func finish() {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      state.withLock { $0 = (isExecuting: false, isFinished: true) }
      didChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isExecuting")
    }
  }
}
