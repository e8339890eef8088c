// Looks right: a module that is being resolved is not waited for, so nobody waits in a circle. Wrong: two
// modules may import a third, and there is no circle in that.

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
  private var found: [String: Set<String>] = [:]
  private var inWork: Set<String> = []

  init(_ source: @escaping Source) {
    self.source = source
  }

  /// All that a module needs.
  ///
  /// - Throws: ``Circle`` if the module, or one that it needs, imports itself through others.
  func needs(of module: String) async throws -> Set<String> {
    if let found = found[module] { return found }
    guard inWork.insert(module).inserted else { throw Circle() }
    defer { inWork.remove(module) }
    var all: Set<String> = []
    for imported in await source(module) {
      all.insert(imported)
      all.formUnion(try await needs(of: imported))
    }
    found[module] = all
    return all
  }
}
