import Foundation

extension CalledBack {
  /// Lists all searches, the newest first. It belongs to the main queue.
  // Sendable because what changes is used on the main queue only, and in `deinit`, when nobody else has the list.
  final class SearchList: @unchecked Sendable {
    private(set) var searches = Searches()
    private let find: @Sendable (String, @escaping Completion<SearchResult>) -> Cancel
    private var cancels: [Int: Cancel] = [:]

    /// - Parameter find: Searches, and calls back once, on any thread.
    init(find: @escaping @Sendable (String, @escaping Completion<SearchResult>) -> Cancel) {
      self.find = find
    }

    deinit { leave() }

    func search(_ term: String) {
      let number = searches.begin()
      cancels[number] = find(term) { [weak self] result in
        DispatchQueue.main.async {
          self?.cancels[number] = nil
          self?.searches.take(result, of: number)
        }
      }
    }

    /// The user goes elsewhere.
    func leave() { for cancel in cancels.values { cancel() } }
  }
}
