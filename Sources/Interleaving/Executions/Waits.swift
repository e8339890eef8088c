// Who waits for whom in an execution, as it stands.

extension Execution {
  /// What an unfinished strand waits for; nil if it does not wait or nothing is known.
  func wait(of strand: StrandID) -> Wait? {
    if let hindrances = hindrances(of: strand) {
      return .hindrances(
        hindrances.map { hindrance(by: $0, isSignal: awaitsSignal(strand, of: $0)) }.reduce(into: []
        ) { if !$0.contains($1) { $0.append($1) } })
    }
    guard seesTasks, let task = strands[strand].task else { return nil }
    switch task.wait {
    case nil: return nil
    case .task(let other): return .value(of: strands.strand(of: other))
    case .group: return .children(strands.children(of: strand))
    case .continuation: return .continuation
    }
  }

  /// What keeps a strand from an operation or from a declared resource; nil if it waits for neither.
  private func hindrances(of strand: StrandID) -> [ObjectID]? {
    strands[strand].want.map { [$0] }
      ?? agenda.operations.first { $0.strand == strand }.map {
        objects.hindrances(of: $0.operation)
      }
  }

  /// Whether it waits for somebody to signal a condition, and not for a lock.
  private func awaitsSignal(_ strand: StrandID, of object: ObjectID) -> Bool {
    agenda.operations.first { $0.strand == strand }?.operation.uses.contains {
      $0.object == object && $0.action == .wake(strand)
    } == true
  }

  private func hindrance(by object: ObjectID, isSignal: Bool) -> Wait.Hindrance {
    if isSignal { return .object("a signal of \(objects.name(of: object))", heldBy: nil) }
    let holder = objects.holders(of: object).first
    if let holder, strands[holder].end == object { return .end(of: holder) }
    return .object(objects.name(of: object), heldBy: holder)
  }

  /// The strands whose end this one certainly waits for.
  private func blockers(of strand: StrandID) -> [StrandID] {
    if let hindrances = hindrances(of: strand) {
      return hindrances.flatMap { objects.holders(of: $0) }
    }
    guard seesTasks else { return [] }
    switch strands[strand].task?.wait {
    case .task(let other): return strands.strand(of: other).map { [$0] } ?? []
    case .group: return strands.children(of: strand)
    case .continuation, nil: return []
    }
  }

  /// The strands that have begun and not ended, where that can be seen.
  var unfinished: [Waiter] {
    seesTasks ? strands.unfinished.map { Waiter(strand: $0, wait: wait(of: $0)) } : []
  }

  /// Strands each of which waits for the next, and the last for the first; from the smallest number on.
  var cycle: [Waiter]? {
    guard seesTasks else { return nil }
    for start in strands.unfinished {
      var path = [start]
      var tried: Set<StrandID> = [start]
      func search() -> Bool {
        for blocker in blockers(of: path.last!) {
          if blocker == start { return true }
          guard tried.insert(blocker).inserted else { continue }
          path.append(blocker)
          if search() { return true }
          path.removeLast()
        }
        return false
      }
      if search() { return path.map { Waiter(strand: $0, wait: wait(of: $0)) } }
    }
    return nil
  }
}
