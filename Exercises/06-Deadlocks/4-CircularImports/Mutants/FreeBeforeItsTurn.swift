// Looks right: one request after the other, so nobody waits in a cycle. Wrong: whoever leaves says that the
// place is free, and a third comes in before the one that was woken.

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
  private var read: [String: [String]] = [:]
  private var isBusy = false
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ source: @escaping Source) { self.source = source }

  func needs(of module: String) async throws -> Set<String> {
    if isBusy { await withCheckedContinuation { waiting.append($0) } }
    isBusy = true
    defer {
      isBusy = false
      if !waiting.isEmpty { waiting.removeFirst().resume() }
    }
    return try await resolve(module, below: [])
  }

  private func resolve(_ module: String, below path: [String]) async throws -> Set<String> {
    if path.contains(module) { throw Cycle() }
    var all: Set<String> = []
    for imported in await imports(of: module) {
      all.insert(imported)
      all.formUnion(try await resolve(imported, below: path + [module]))
    }
    return all
  }

  private func imports(of module: String) async -> [String] {
    if let known = read[module] { return known }
    let imports = await source(module)
    read[module] = imports
    return imports
  }
}
