import Foundation

/// The repositories of a server, and its search in them.
enum RepositoryCatalogue {
  private struct Entry {
    let owner: String
    let name: String
    let created: String
    let stars: Int
    let language: String?
  }

  private static let entries = [
    Entry(owner: "ada", name: "old-fame", created: "2026-01-10", stars: 900, language: "C"),
    Entry(owner: "bo", name: "kettle", created: "2026-03-04", stars: 70, language: nil),
    Entry(owner: "chen", name: "lantern", created: "2026-03-07", stars: 310, language: "Swift"),
    Entry(owner: "dora", name: "pontoon", created: "2026-03-01", stars: 120, language: "Go"),
    Entry(owner: "eli", name: "almost", created: "2026-02-28", stars: 800, language: "Rust"),
  ]

  /// The day on which the repositories of a week are three.
  static let day = Date(timeIntervalSince1970: 1_772_928_000)  // 2026-03-08, 00:00 UTC

  /// A page as a search service sends it.
  ///
  /// - Parameter query: `q`, as in `created:>=2026-03-01`; `sort` and `order`.
  static func page(for query: [String: String]) -> Data {
    let since = query["q"]?.wholeMatch(of: /created:>=(\d{4}-\d{2}-\d{2})/).map { String($0.1) }
    var found = entries.filter { entry in since.map { entry.created >= $0 } ?? true }
    if query["sort"] == "stars" { found.sort { $0.stars < $1.stars } }
    if query["order"] == "desc" { found.reverse() }
    let items = found.map { entry in
      let owner = ["login": entry.owner, "avatar_url": "http://127.0.0.1/\(entry.owner).png"]
      return [
        "name": entry.name, "full_name": "\(entry.owner)/\(entry.name)", "owner": owner,
        "stargazers_count": entry.stars, "language": entry.language as Any? ?? NSNull(),
        "created_at": "\(entry.created)T00:00:00Z",
      ] as [String: Any]
    }
    let page: [String: Any] = [
      "total_count": found.count, "incomplete_results": false, "items": items,
    ]
    // A page of strings, numbers and nulls has a form in JSON.
    return try! JSONSerialization.data(withJSONObject: page, options: .sortedKeys)
  }
}
