import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Async {
  /// A page of news.
  @MainActor final class NewsPage {
    private(set) var text = ""
    private(set) var alert: String?
    private let indicator: BusyIndicator
    private let session: URLSession

    init(indicator: BusyIndicator, session: URLSession) {
      self.indicator = indicator
      self.session = session
    }

    /// One refresh at a time: the caller cancels the task of the older one.
    func refresh(from url: URL) async {
      indicator.begin()
      defer { indicator.end() }
      do {
        let (data, response) = try await session.data(from: url)
        let text = try newsText(data, response, nil)
        if !Task.isCancelled { (self.text, alert) = (text, nil) }
      } catch {
        // A page that the user has left alerts nobody.
        if !Task.isCancelled { alert = newsAlert(error) }
      }
    }
  }
}
