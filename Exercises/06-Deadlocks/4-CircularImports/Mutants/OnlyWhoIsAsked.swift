// Looks right: a module is in a circle if it needs itself. Wrong: one that needs a circle, and is not in
// it, is not refused.

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
  private var reads: [String: Task<[String], Never>] = [:]

  init(_ source: @escaping Source) {
    self.source = source
  }

  func needs(of module: String) async throws -> Set<String> {
    var all: Set<String> = []
    var open = [module]
    while let next = open.popLast() {
      for imported in await imports(of: next) where all.insert(imported).inserted {
        open.append(imported)
      }
    }
    if all.contains(module) { throw Circle() }
    return all
  }

  private func imports(of module: String) async -> [String] {
    if let read = reads[module] { return await read.value }
    let read = Task { await source(module) }
    reads[module] = read
    return await read.value
  }
}
