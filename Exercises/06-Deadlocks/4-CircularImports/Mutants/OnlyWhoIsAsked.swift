// Looks right: a module is in a cycle if it needs itself. Wrong: one that needs a cycle, and is not in
// it, is not refused.

extension Resolver {
  // region source
  private let source: Source
  private var reads: [String: Task<[String], Never>] = [:]
  // endregion

  // region needs
  func needs(of module: String) async throws -> Set<String> {
    var all: Set<String> = []
    var open = [module]
    while let next = open.popLast() {
      for imported in await imports(of: next) where all.insert(imported).inserted {
        open.append(imported)
      }
    }
    if all.contains(module) { throw Cycle() }
    return all
  }
  // endregion

  // region task
  private func imports(of module: String) async -> [String] {
    if let read = reads[module] { return await read.value }
    let read = Task { await source(module) }
    reads[module] = read
    return await read.value
  }
  // endregion

  // region privateNeeds
  // endregion
}
