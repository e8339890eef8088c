import Foundation

extension Unguarded {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: false on purpose; `executing` and `finished` are written by one thread and read by others.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private var executing = false
    private var finished = false

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { executing }
    override var isFinished: Bool { finished }

    override func start() {
      guard !isCancelled else { return finish() }
      willChangeValue(forKey: "isExecuting")
      executing = true
      didChangeValue(forKey: "isExecuting")
      _ = send(photo) { [self] answer in
        report(answer)
        finish()
      }
    }

    private func finish() {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      executing = false
      finished = true
      didChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isExecuting")
    }
  }
}
