// Looks right: each request awaits the one before it, so nobody waits in a cycle. Wrong: between looking who
// was last and noting itself it awaits, and two come after the same one.

/// A module imports itself, directly or through others.
struct Cycle: Error, Hashable {}

/// Reads the imports of a module; it takes a while. It stays as it is.
typealias Source = @Sendable (_ module: String) async -> [String]

/// What each module imports, read once.
actor Graph {
  let source: Source
  var read: [String: [String]] = [:]
  private(set) var requests = 0

  init(_ source: @escaping Source) { self.source = source }

  func count() { requests += 1 }

  func imports(of module: String) async -> [String] {
    if let known = read[module] { return known }
    let imports = await source(module)
    read[module] = imports
    return imports
  }
}

/// Finds out what a module needs: what it imports, what that imports, and so on.
///
/// A module is read once, however many ask for it. The check uses `Cycle`, `Source`, `init(_:)` and
/// `needs(of:)`.
actor Resolver {
  private let graph: Graph
  private var last: Task<Void, Never>?

  init(_ source: @escaping Source) { graph = Graph(source) }

  func needs(of module: String) async throws -> Set<String> {
    let previous = last
    await graph.count()
    let task = Task { [graph] in
      await previous?.value
      return try await Self.resolve(module, below: [], graph)
    }
    last = Task { _ = await task.result }
    return try await task.value
  }

  private static func resolve(_ module: String, below path: [String], _ graph: Graph) async throws
    -> Set<String>
  {
    if path.contains(module) { throw Cycle() }
    var all: Set<String> = []
    for imported in await graph.imports(of: module) {
      all.insert(imported)
      all.formUnion(try await resolve(imported, below: path + [module], graph))
    }
    return all
  }
}
