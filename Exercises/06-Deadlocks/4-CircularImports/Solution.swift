/// A module imports itself, directly or through others.
struct Cycle: Error, Hashable {}

/// Reads the imports of a module; it takes a while. It stays as it is.
typealias Source = @Sendable (_ module: String) async -> [String]

/// Finds out what a module needs: what it imports, what that imports, and so on.
///
/// A module is read once, however many ask for it. The check uses `Cycle`, `Source`, `init(_:)` and
/// `needs(of:)`.
actor Resolver {
  // region source
  private let source: Source
  private var inFlight: [String: Task<Set<String>, any Error>] = [:]
  /// The module that a module waits for; one at a time.
  private var awaited: [String: String] = [:]
  // endregion

  init(_ source: @escaping Source) {
    self.source = source
  }

  // region needs
  /// All that a module needs.
  ///
  /// - Throws: ``Cycle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    try await task(for: module).value
  }
  // endregion

  // region task
  private func task(for module: String) -> Task<Set<String>, any Error> {
    if let task = inFlight[module] { return task }
    let task = Task {
      var all: Set<String> = []
      for imported in await source(module) {
        all.insert(imported)
        all.formUnion(try await needs(of: imported, for: module))
      }
      return all
    }
    inFlight[module] = task
    return task
  }
  // endregion

  // region privateNeeds
  /// Looks for a cycle and notes the wait in one step: nobody comes in between.
  private func needs(of imported: String, for module: String) async throws -> Set<String> {
    var next: String? = imported
    while let waiter = next {
      if waiter == module { throw Cycle() }
      next = awaited[waiter]
    }
    awaited[module] = imported
    defer { awaited[module] = nil }
    return try await task(for: imported).value
  }
  // endregion
}
