/// Keeps pictures, and loads those that it does not have.
///
/// The check uses `init(load:)` and `picture(_:)`.
actor PictureStore {
  private let load: @Sendable (String) async throws -> String

  init(load: @escaping @Sendable (String) async throws -> String) { self.load = load }

  // region state
  private var tasks: [String: Task<String, any Error>] = [:]
  // endregion

  // region picture
  /// The picture of this name.
  ///
  /// - Throws: What its load throws.
  func picture(_ name: String) async throws -> String {
    if let task = tasks[name] { return try await task.value }
    let task = Task {
      do { return try await load(name) } catch {
        // Before anybody hears of the failure.
        tasks[name] = nil
        throw error
      }
    }
    tasks[name] = task
    return try await task.value
  }
  // endregion
}
