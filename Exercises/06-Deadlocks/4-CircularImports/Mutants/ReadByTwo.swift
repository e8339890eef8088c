// Looks right: a task for each module, and all who come later await it. Wrong: it is kept only after the
// module was read, and two who ask at the same time both read.

extension Resolver {
  // region task
  private func task(for module: String) async -> Task<Set<String>, any Error> {
    if let task = inFlight[module] { return task }
    let imports = await source(module)
    let task = Task {
      var all: Set<String> = []
      for imported in imports {
        all.insert(imported)
        all.formUnion(try await needs(of: imported, for: module))
      }
      return all
    }
    inFlight[module] = task
    return task
  }
  // endregion
}
