import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A search for the repositories that were created in the last week, the one with the most stars first.
struct TrendingQuery: Sendable {
  let server: URL
  var now = Date.now

  var request: URLRequest {
    let aWeekAgo = now.addingTimeInterval(-7 * 24 * 60 * 60)
    var components = URLComponents(
      url: server.appending(path: "search/repositories"), resolvingAgainstBaseURL: false)!
    components.queryItems = [
      URLQueryItem(
        name: "q", value: "created:>=\(aWeekAgo.formatted(.iso8601.year().month().day()))"),
      URLQueryItem(name: "sort", value: "stars"),
      URLQueryItem(name: "order", value: "desc"),
    ]
    var request = URLRequest(url: components.url!)
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    return request
  }
}
