import Foundation

extension Async.Search {
  /// Parses a page, and not on the caller's actor: a page may be long.
  @concurrent func parse(_ page: Data, from url: URL?) async throws -> [Repository] {
    try SearchPage.repositories(in: page, from: url).get()
  }
}
