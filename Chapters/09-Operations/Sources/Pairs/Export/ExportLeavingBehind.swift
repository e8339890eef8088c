import Foundation
import Synchronization

extension LeavingBehind {
  final class ExportOperation: Operation, @unchecked Sendable {
    // Sendable: its own state is in a lock.
    private let photo: Photo
    private let budget: Budget
    private let render: @Sendable (Photo) -> Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private let request = Mutex<Request?>(nil)

    init(
      _ photo: Photo, within budget: Budget, render: @escaping @Sendable (Photo) -> Photo,
      send: @escaping Send, report: @escaping @Sendable (Answer) -> Void
    ) {
      (self.photo, self.budget, self.render) = (photo, budget, render)
      (self.send, self.report) = (send, report)
    }

    override func main() {
      guard !isCancelled else { return }
      budget.reserve(photo.bytes.count)
      guard !isCancelled else { return budget.giveBack(photo.bytes.count) }
      let rendition = render(photo)
      guard !isCancelled else { return }
      let answered = DispatchSemaphore(value: 0)
      let request = send(rendition) { [self] answer in
        if !isCancelled { report(answer) }
        answered.signal()
      }
      self.request.withLock { $0 = request }
      if isCancelled { request.cancel() }
      answered.wait()
      budget.giveBack(photo.bytes.count)
    }

    override func cancel() {
      super.cancel()
      request.withLock(\.self)?.cancel()
    }
  }
}
