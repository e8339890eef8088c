import Foundation

/// A repository, as a search finds it.
struct Repository: Decodable, Hashable, Sendable {
  struct Owner: Decodable, Hashable, Sendable {
    let login: String
    let avatarUrl: URL
  }

  let fullName: String
  let owner: Owner
  let stargazersCount: Int
  let language: String?
}

/// A page of a search's results.
struct SearchPage: Decodable, Sendable {
  let totalCount: Int
  let items: [Repository]

  /// Reads a page as the server sends it, with names such as `stargazers_count`.
  init(json: Data) throws {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    self = try decoder.decode(SearchPage.self, from: json)
  }
}
