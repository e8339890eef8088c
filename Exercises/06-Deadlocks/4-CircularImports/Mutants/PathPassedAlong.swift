// Looks right: each request knows the modules above it, and refuses one that is among them. Wrong: two requests
// that began at two modules of the cycle have two paths, and each waits for the other's task.

extension Resolver {
  // region source
  private let source: Source
  private var inFlight: [String: Task<Set<String>, any Error>] = [:]
  // endregion

  // region needs
  /// All that a module needs.
  ///
  /// - Throws: ``Cycle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    try await needs(of: module, below: [])
  }
  // endregion

  // region task
  // endregion

  // region privateNeeds
  private func needs(of module: String, below path: [String]) async throws -> Set<String> {
    if path.contains(module) { throw Cycle() }
    if let task = inFlight[module] { return try await task.value }
    let task = Task {
      var all: Set<String> = []
      for imported in await source(module) {
        all.insert(imported)
        all.formUnion(try await needs(of: imported, below: path + [module]))
      }
      return all
    }
    inFlight[module] = task
    return try await task.value
  }
  // endregion
}
