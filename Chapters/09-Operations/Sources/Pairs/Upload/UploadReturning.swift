import Foundation

extension Returning {
  final class UploadOperation: Operation, @unchecked Sendable {
    // Sendable: only the thread that runs `main()` uses `request`.
    private let photo: Photo
    private let send: Send
    private let report: @Sendable (Answer) -> Void
    private var request: Request?

    init(_ photo: Photo, send: @escaping Send, report: @escaping @Sendable (Answer) -> Void) {
      (self.photo, self.send, self.report) = (photo, send, report)
    }

    override func main() {
      guard !isCancelled else { return }
      request = send(photo) { [self] answer in
        guard !isCancelled else { return }
        report(answer)
      }
    }
  }
}
