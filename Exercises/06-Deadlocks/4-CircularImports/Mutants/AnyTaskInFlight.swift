// Looks right: a module that is being resolved is not waited for, so nobody waits in a cycle. Wrong: two
// modules may import a third, and there is no cycle in that.

extension Resolver {
  // region source
  private let source: Source
  private var found: [String: Set<String>] = [:]
  private var inWork: Set<String> = []
  // endregion

  // region needs
  /// All that a module needs.
  ///
  /// - Throws: ``Cycle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    if let found = found[module] { return found }
    guard inWork.insert(module).inserted else { throw Cycle() }
    defer { inWork.remove(module) }
    var all: Set<String> = []
    for imported in await source(module) {
      all.insert(imported)
      all.formUnion(try await needs(of: imported))
    }
    found[module] = all
    return all
  }
  // endregion

  // region task
  // endregion

  // region privateNeeds
  // endregion
}
