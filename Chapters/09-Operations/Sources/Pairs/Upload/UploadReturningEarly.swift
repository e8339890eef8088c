import Foundation

extension ReturningEarly {
  final class UploadOperation: ConcurrentOperation, @unchecked Sendable {
    // Sendable: nothing of its own changes.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override func main() {
      guard !photo.bytes.isEmpty else { return }
      _ = send(photo) { [self] answer in
        finish { report(answer) }
      }
    }
  }
}
