import Foundation

extension Unasked {
  /// Uploads the photos of an album, and then announces it.
  final class Publishing: Sendable {
    private let queue = OperationQueue()
    private let send: Send
    private let announce: @Sendable ([Receipt]) -> Void

    init(send: @escaping Send, announce: @escaping @Sendable ([Receipt]) -> Void) {
      (self.send, self.announce) = (send, announce)
    }

    func publish(
      _ photos: [Photo], then completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
      let answers = Answers(count: photos.count)
      let uploads = photos.enumerated().map { index, photo in
        Concurrent.UploadOperation(photo, send: send) { answers.keep($0, at: index) }
      }
      let announcement = BlockOperation { [announce] in
        announce(answers.receipts)
        completion(.success(()))
      }
      for upload in uploads { announcement.addDependency(upload) }
      queue.addOperations(uploads + [announcement], waitUntilFinished: false)
    }
  }
}
