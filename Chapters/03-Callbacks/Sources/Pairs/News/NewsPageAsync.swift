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

    func refresh(from url: URL) async {
      indicator.begin()
      defer { indicator.end() }
      do {
        let (data, response) = try await session.data(from: url)
        text = try newsText(data, response, nil)
      } catch URLError.cancelled {
        // The user has gone on, so there is nobody to alert.
      } catch {
        alert = newsAlert(error)
      }
    }
  }
}
