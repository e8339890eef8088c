extension Async {
  /// Shows the person that was asked for last.
  @MainActor final class PersonScreen {
    private(set) var content = PersonContent.empty
    private let indicator: BusyIndicator
    private let load: @Sendable (Int) async throws -> Person?
    private(set) var task: Task<Void, Never>?

    /// - Parameter load: Finds a person.
    init(indicator: BusyIndicator, load: @escaping @Sendable (Int) async throws -> Person?) {
      self.indicator = indicator
      self.load = load
    }

    deinit { task?.cancel() }

    func show(_ id: Int) {
      leave()
      indicator.begin()
      task = Task { [weak self, load, indicator] in
        defer { indicator.end() }
        let content: PersonContent
        do {
          content = PersonContent(.success(try await load(id)))
        } catch {
          content = PersonContent(.failure(error))
        }
        // A task that the next one, or nobody, has replaced has nothing to show.
        if !Task.isCancelled { self?.content = content }
      }
    }

    /// The user goes elsewhere.
    func leave() { task?.cancel() }
  }
}
