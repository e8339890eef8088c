// Looks right: without tasks in flight nobody waits for anybody, and the path finds each circle. Wrong: a
// module that two others import is read twice.

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

  init(_ source: @escaping Source) {
    self.source = source
  }

  /// All that a module needs.
  ///
  /// - Throws: ``Circle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    try await needs(of: module, below: [])
  }

  private func needs(of module: String, below path: [String]) async throws -> Set<String> {
    if path.contains(module) { throw Circle() }
    var all: Set<String> = []
    for imported in await source(module) {
      all.insert(imported)
      all.formUnion(try await needs(of: imported, below: path + [module]))
    }
    return all
  }
}
