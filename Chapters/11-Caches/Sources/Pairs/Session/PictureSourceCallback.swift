import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension PictureSource {
  /// Loads a picture, and calls back once, on a queue of its own.
  @Sendable func load(_ url: URL, then completion: @escaping Completion<Picture>) -> Cancel {
    let cancellation = Cancellation()
    folder.data(for: url) { [self] stored in
      if let picture = stored.flatMap({ try? Picture(decoding: $0) }) {
        return completion(.success(picture))
      }
      if cancellation.isCancelled { return completion(.failure(CancellationError())) }
      let task = session.dataTask(with: url) { data, response, error in
        // The session calls back on one queue for all, so a picture is decoded elsewhere.
        DispatchQueue.global().async {
          completion(
            Result {
              if (error as? URLError)?.code == .cancelled { throw CancellationError() }
              if let error { throw error }
              return try self.picture(in: data ?? Data(), response, at: url)
            })
        }
      }
      task.resume()
      cancellation.begun { task.cancel() }
    }
    return cancellation.cancel
  }
}
