extension Checked {
  /// Keeps who awaits whom beside the tasks in flight, and refuses the wait that would close a cycle.
  actor Resolver {
    /// The module whose task would wait for itself, through others.
    struct Cycle: Error, Equatable {
      let module: String
    }

    private let imports: [String: [String]]
    private var inFlight: [String: Task<Set<String>, any Error>] = [:]
    /// The module whose end the task of a module awaits; one at a time.
    private var awaited: [String: String] = [:]

    init(_ imports: [String: [String]]) {
      self.imports = imports
    }

    func needs(of module: String) async throws -> Set<String> {
      try await task(for: module).value
    }

    private func task(for module: String) -> Task<Set<String>, any Error> {
      if let task = inFlight[module] { return task }
      let task = Task {
        var all: Set<String> = []
        for other in imports[module] ?? [] {
          all.insert(other)
          all.formUnion(try await needs(of: other, for: module))
        }
        return all
      }
      inFlight[module] = task
      return task
    }

    private func needs(of other: String, for module: String) async throws -> Set<String> {
      // Looked up and noted in one step, before the await: nobody closes a cycle in between.
      var next: String? = other
      while let waiter = next {
        if waiter == module { throw Cycle(module: module) }
        next = awaited[waiter]
      }
      awaited[module] = other
      defer { awaited[module] = nil }
      return try await task(for: other).value
    }
  }
}
