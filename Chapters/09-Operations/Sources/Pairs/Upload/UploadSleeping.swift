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
      let deadline = DispatchTime.now() + 10
      while !isAnswered.withLock(\.self), DispatchTime.now() < deadline {
        Thread.sleep(forTimeInterval: 0.1)
      }
    }
  }
}
