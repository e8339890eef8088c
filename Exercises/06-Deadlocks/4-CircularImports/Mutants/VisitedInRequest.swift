// Looks right: a module that comes up again closes a cycle. Wrong: two modules may import the same
// third one.

extension Resolver {
  // region source
  private let source: Source
  private var reads: [String: Task<[String], Never>] = [:]
  // endregion

  // region needs
  func needs(of module: String) async throws -> Set<String> {
    var seen: Set<String> = []
    var all: Set<String> = []
    var open = [module]
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { throw Cycle() }
      let imports = await imports(of: next)
      all.formUnion(imports)
      open += imports
    }
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
