import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Forgetful {
  /// Turns the indicator off where all went well.
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

    func refresh(from url: URL, then completion: @escaping @Sendable () -> Void) {
      indicator.begin()
      session.dataTask(with: url) { [self] data, response, error in
        DispatchQueue.main.async { [self] in
          defer { completion() }
          do {
            text = try newsText(data, response, error)
          } catch {
            alert = newsAlert(error)
            return
          }
          indicator.end()
        }
      }.resume()
    }
  }
}
