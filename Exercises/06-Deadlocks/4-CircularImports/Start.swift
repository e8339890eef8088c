/// A module imports itself, directly or through others.
struct Cycle: Error, Hashable {}

/// Reads the imports of a module; it takes a while. It stays as it is.
typealias Source = @Sendable (_ module: String) async -> [String]

/// Finds out what a module needs: what it imports, what that imports, and so on.
///
/// A module is read once, however many ask for it. The check uses `Cycle`, `Source`, `init(_:)` and
/// `needs(of:)`.
actor Resolver {
  private let source: Source
  private var inFlight: [String: Task<Set<String>, any Error>] = [:]

  init(_ source: @escaping Source) {
    self.source = source
  }

  // TODO: Throw `Cycle` where a module would wait for itself, whoever asks for what at the same time.
  /// All that a module needs.
  ///
  /// - Throws: ``Cycle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    if let task = inFlight[module] { return try await task.value }
    let task = Task {
      var all: Set<String> = []
      for imported in await source(module) {
        all.insert(imported)
        all.formUnion(try await needs(of: imported))
      }
      return all
    }
    inFlight[module] = task
    return try await task.value
  }
}
