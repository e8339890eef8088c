/// Which pieces of a graph may begin, as a value.
struct GraphPlan: Sendable {
  private(set) var endings: [String: GraphEnding] = [:]
  private var ready: ArraySlice<String> = []
  /// How many of its needs have not ended, by piece.
  private var missing: [String: Int] = [:]
  private var dependents: [String: [String]] = [:]

  /// Looks at the pieces, in time linear in their number and that of their needs.
  ///
  /// - Throws: ``GraphError``, before anything has begun.
  init(_ pieces: [(name: String, needs: Set<String>)]) throws {
    for (name, needs) in pieces {
      guard missing.updateValue(needs.count, forKey: name) == nil else {
        throw GraphError.doubled(name)
      }
    }
    for (name, needs) in pieces {
      for need in needs {
        guard missing[need] != nil else { throw GraphError.unknown(need, neededBy: name) }
        dependents[need, default: []].append(name)
      }
    }
    if let cycle = cycle(in: pieces) { throw GraphError.cycle(cycle) }
    ready = pieces.filter(\.needs.isEmpty).map(\.name)[...]
  }

  /// A piece that begins now: the first of those that are ready; nil if none is.
  mutating func begin() -> String? { ready.popFirst() }

  /// A piece has ended.
  mutating func end(_ name: String, throwing error: (any Error)?) {
    if let error {
      endings[name] = .failed(error)
      return skip(dependents[name] ?? [], as: .skipped(becauseOf: name))
    }
    endings[name] = .done
    for dependent in dependents[name] ?? [] {
      missing[dependent]! -= 1
      if missing[dependent] == 0 { ready.append(dependent) }
    }
  }

  /// What has not begun does not begin any more, once all that has begun has ended.
  mutating func stop() {
    for name in missing.keys where endings[name] == nil { endings[name] = .notBegun }
    ready = []
  }

  /// They do not begin, nor does what needs them.
  private mutating func skip(_ names: [String], as ending: GraphEnding) {
    var names = names
    while let name = names.popLast() {
      guard endings.updateValue(ending, forKey: name) == nil else { continue }
      names += dependents[name] ?? []
    }
  }
}

/// How a piece of work has ended, or why it has not begun.
enum GraphEnding: Sendable {
  case done
  case failed(any Error)
  /// What it needs, itself or by way of others, has failed.
  case skipped(becauseOf: String)
  /// The task that ran the graph was cancelled.
  case notBegun
}

/// Why a graph cannot be run.
enum GraphError: Error, Equatable {
  case doubled(String)
  case unknown(String, neededBy: String)
  /// Pieces that need one another: each the next, and the last the first.
  case cycle([String])
}
