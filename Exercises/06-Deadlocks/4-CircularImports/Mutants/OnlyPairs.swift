// Looks right: before it waits for a module it looks whether that one waits for it. Wrong: it looks one step
// far, and a cycle of three has no such pair.

extension Resolver {
  // region privateNeeds
  private func needs(of imported: String, for module: String) async throws -> Set<String> {
    if imported == module || awaited[imported] == module { throw Cycle() }
    awaited[module] = imported
    defer { awaited[module] = nil }
    return try await task(for: imported).value
  }
  // endregion
}
