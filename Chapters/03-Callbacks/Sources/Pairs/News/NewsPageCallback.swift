import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension CalledBack {
  /// A page of news. It belongs to the main queue.
  // Sendable because what changes is used on the main queue only.
  final class NewsPage: @unchecked Sendable {
    private(set) var text = ""
    private(set) var alert: String?
    private let indicator: BusyIndicator
    private let session: URLSession

    init(indicator: BusyIndicator, session: URLSession) {
      self.indicator = indicator
      self.session = session
    }

    /// One refresh at a time: the caller cancels the older one.
    ///
    /// - Parameter completion: Called on the main queue.
    /// - Returns: A closure that cancels the refresh.
    func refresh(from url: URL, then completion: @escaping @Sendable () -> Void) -> Cancel {
      indicator.begin()
      let task = session.dataTask(with: url) { [self] data, response, error in
        DispatchQueue.main.async { [self] in
          indicator.end()
          show(Result { try newsText(data, response, error) })
          completion()
        }
      }
      task.resume()
      return { task.cancel() }
    }

    private func show(_ text: Result<String, any Error>) {
      switch text {
      case .success(let text): (self.text, alert) = (text, nil)
      case .failure(URLError.cancelled): break
      case .failure(let error): alert = newsAlert(error)
      }
    }
  }
}
