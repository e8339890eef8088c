extension Waiting {
  /// Finds out what a module needs, directly and through others, and keeps the task in flight for those who ask
  /// meanwhile: the cure of the reentrant cache.
  actor Resolver {
    private let imports: [String: [String]]
    private var inFlight: [String: Task<Set<String>, Never>] = [:]

    init(_ imports: [String: [String]]) {
      self.imports = imports
    }

    func needs(of module: String) async -> Set<String> {
      if let task = inFlight[module] { return await task.value }
      let task = Task {
        var all: Set<String> = []
        for other in imports[module] ?? [] {
          all.insert(other)
          all.formUnion(await needs(of: other))
        }
        return all
      }
      inFlight[module] = task
      return await task.value
    }
  }
}
