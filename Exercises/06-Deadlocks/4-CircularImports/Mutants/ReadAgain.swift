// Looks right: without tasks in flight nobody waits for anybody, and the path finds each cycle. Wrong: a
// module that two others import is read twice.

extension Resolver {
  // region source
  private let source: Source
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
    var all: Set<String> = []
    for imported in await source(module) {
      all.insert(imported)
      all.formUnion(try await needs(of: imported, below: path + [module]))
    }
    return all
  }
  // endregion
}
