// Looks right: it notes who waits for whom, and looks for a circle before it waits. Wrong: between
// the look and the note others come in, and two may each look before the other has noted.

/// A module imports itself, directly or through others.
struct Circle: Error, Hashable {}

/// Reads the imports of a module; it takes a while. It stays as it is.
typealias Source = @Sendable (_ module: String) async -> [String]

/// Finds out what a module needs: what it imports, what that imports, and so on.
///
/// A module is read once, however many ask for it. The check uses `Circle`, `Source`, `init(_:)` and
/// `needs(of:)`.
actor Resolver {
  private let source: Source
  private var inFlight: [String: Task<Set<String>, any Error>] = [:]
  /// The module that a module waits for; one at a time.
  private var awaited: [String: String] = [:]

  init(_ source: @escaping Source) {
    self.source = source
  }

  /// All that a module needs.
  ///
  /// - Throws: ``Circle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    try await task(for: module).value
  }

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

  private func needs(of imported: String, for module: String) async throws -> Set<String> {
    if await isAwaited(module, by: imported) { throw Circle() }
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
}
