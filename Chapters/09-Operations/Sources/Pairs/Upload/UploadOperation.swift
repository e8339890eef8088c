import Foundation
import Synchronization

extension Concurrent {
  final class UploadOperation: ConcurrentOperation, @unchecked Sendable {
    // Sendable: its own state is in a lock.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private let request = Mutex<Request?>(nil)

    /// - Parameter report: Told the answer once, before the operation is finished. Of an operation that was cancelled
    ///   before its start it is told nothing.
    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override func main() {
      guard !photo.bytes.isEmpty else { return finish { report(.failure(NothingToSend())) } }
      let request = send(photo) { [self] answer in
        finish { report(answer) }
      }
      self.request.withLock { $0 = request }
      // One who cancelled before the request was there could not cancel it.
      if isCancelled { request.cancel() }
    }

    override func cancel() {
      super.cancel()
      request.withLock(\.self)?.cancel()
    }
  }
}
