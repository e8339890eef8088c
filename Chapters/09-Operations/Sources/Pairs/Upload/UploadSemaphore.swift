import Foundation

extension Waiting {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: nothing of its own changes.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override func main() {
      let answered = DispatchSemaphore(value: 0)
      _ = send(photo) { [report] answer in
        report(answer)
        answered.signal()
      }
      answered.wait()
    }
  }
}
