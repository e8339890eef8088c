/// Lists all searches, the newest first.
@MainActor final class SearchList {
  private(set) var searches = Searches()
  private let find: @concurrent @Sendable (String) async throws -> SearchResult
  private(set) var tasks: [Int: Task<Void, Never>] = [:]

  /// - Parameter find: Searches.
  init(find: @escaping @concurrent @Sendable (String) async throws -> SearchResult) {
    self.find = find
  }

  deinit { for task in tasks.values { task.cancel() } }

  func search(_ term: String) {
    let number = searches.begin()
    tasks[number] = Task { [weak self, find] in
      let result: Result<SearchResult, any Error>
      do { result = .success(try await find(term)) } catch { result = .failure(error) }
      self?.tasks[number] = nil
      self?.searches.take(result, of: number)
    }
  }

  /// The user goes elsewhere.
  func leave() { for task in tasks.values { task.cancel() } }
}
