/// Where names come from. It stays as it is.
protocol Directory: Sendable {
  /// - Returns: The name; nil if there is no such person.
  func name(of id: Int) async throws -> String?
}

/// A page with the name of a person.
///
/// The check uses `init(directory:)`, `show(_:)`, `leave()`, `text` and `isBusy`.
@MainActor final class Page {
  /// The name, "nobody", or "no connection".
  private(set) var text = ""
  /// Whether what was asked for last is still awaited.
  private(set) var isBusy = false
  private let directory: any Directory
  private var request: Task<Void, Never>?

  init(directory: any Directory) { self.directory = directory }

  // region show
  /// Shows somebody, as soon as the directory answers. What was asked for before is given up.
  func show(_ id: Int) {
    leave()
    isBusy = true
    request = Task {
      let text: String
      do {
        text = try await directory.name(of: id) ?? "nobody"
      } catch {
        text = "no connection"
      }
      if Task.isCancelled { return }
      self.text = text
      isBusy = false
    }
  }
  // endregion

  // region leave
  /// The user goes elsewhere: what was asked for is given up.
  func leave() {
    request?.cancel()
    isBusy = false
  }
  // endregion
}
