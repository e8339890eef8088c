import Foundation

extension CallingSuper {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: `phase` is used under `state` only.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private let state = NSLock()
    private var phase = Phase.waiting

    private enum Phase { case waiting, executing, finished }

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { state.withLock { phase == .executing } }
    override var isFinished: Bool { state.withLock { phase == .finished } }

    override func start() {
      super.start()
      guard !isCancelled else { return become(.finished) }
      become(.executing)
      main()
    }

    override func main() {
      _ = send(photo) { [self] answer in
        report(answer)
        become(.finished)
      }
    }

    private func become(_ next: Phase) {
      willChangeValue(forKey: "isExecuting")
      willChangeValue(forKey: "isFinished")
      state.withLock { phase = next }
      didChangeValue(forKey: "isFinished")
      didChangeValue(forKey: "isExecuting")
    }
  }
}
