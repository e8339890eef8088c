import Foundation
import Synchronization

extension Depending {
  /// Uploads the photos of an album, and then announces it.
  final class Publishing: Sendable {
    private let queue = OperationQueue()
    private let send: Send
    private let announce: @Sendable ([Receipt]) -> Void
    private let uploads = Mutex<[Operation]>([])

    init(send: @escaping Send, announce: @escaping @Sendable ([Receipt]) -> Void) {
      (self.send, self.announce) = (send, announce)
    }

    /// - Parameter completion: Told what became of it, after that.
    func publish(
      _ photos: [Photo], then completion: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
      let answers = Answers(count: photos.count)
      let uploads = photos.enumerated().map { index, photo in
        Concurrent.UploadOperation(photo, send: send) { answers.keep($0, at: index) }
      }
      let announcement = BlockOperation { [announce] in
        completion(Result { announce(try answers.all()) })
      }
      for upload in uploads { announcement.addDependency(upload) }
      self.uploads.withLock { $0 = $0.filter { !$0.isFinished } + uploads }
      queue.addOperations(uploads + [announcement], waitUntilFinished: false)
    }

    /// Cancels what is uploaded. The announcement runs, because it carries the news.
    func cancel() {
      for upload in uploads.withLock(\.self) { upload.cancel() }
    }
  }
}
