import Foundation
import Synchronization

extension Sleeping {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: its own state is in a lock.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private let isAnswered = Mutex(false)

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override func main() {
      _ = send(photo) { [self] answer in
        report(answer)
        isAnswered.withLock { $0 = true }
      }
      // Ten seconds, at most.
      for _ in 1...10 where !isAnswered.withLock(\.self) { Thread.sleep(forTimeInterval: 1) }
    }
  }
}
