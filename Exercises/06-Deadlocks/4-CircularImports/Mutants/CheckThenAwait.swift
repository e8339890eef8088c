// Looks right: it notes who waits for whom, and looks for a cycle before it waits. Wrong: between
// the look and the note others come in, and two may each look before the other has noted.

extension Resolver {
  // region privateNeeds
  private func needs(of imported: String, for module: String) async throws -> Set<String> {
    if await isAwaited(module, by: imported) { throw Cycle() }
    await Task.yield()
    awaited[module] = imported
    defer { awaited[module] = nil }
    return try await task(for: imported).value
  }

  private func isAwaited(_ module: String, by imported: String) async -> Bool {
    var next: String? = imported
    while let waiter = next {
      if waiter == module { return true }
      next = awaited[waiter]
    }
    return false
  }
  // endregion
}
