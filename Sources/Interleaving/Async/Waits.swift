// Who waits for whom, when nothing can go on.

extension ScenarioExecutor {
  /// What an unfinished task waits for, in words; nil if it does not wait or nothing is known.
  func wait(of strand: Int) -> String? {
    if let resource = wants[strand] {
      return holders[resource.id].map { "\(resource.name), held by \(name(of: $0))" }
        ?? resource.name
    }
    if let waiting = agenda.pending.first(where: { $0.strand == strand }) {
      return wait(for: waiting.operation)
    }
    guard runtime != nil, let task = strands[strand].task else { return nil }
    switch task.wait {
    case nil: return nil
    case .task(let other):
      return strands.strand(of: other).map { "the value of \(name(of: $0))" } ?? "a task"
    case .group:
      let children = strands.children(of: strand)
      return children.isEmpty
        ? "its group"
        : "its child task" + (children.count > 1 ? "s " : " ")
          + children.map(name).joined(separator: ", ")
    case .continuation:
      return "a continuation"
    }
  }

  /// What of an operation cannot be done yet, in words.
  private func wait(for operation: VisibleOperation) -> String {
    var clauses: [String] = []
    for object in hindrances(of: operation) {
      let clause = clause(of: object)
      if !clauses.contains(clause) { clauses.append(clause) }
    }
    return clauses.joined(separator: " and ")
  }

  /// An object or an event that is waited for, in words.
  private func clause(of object: Int) -> String {
    if let strand = blocking.ends.first(where: { $0.value == object })?.key {
      return "the end of \(name(of: strand))"
    }
    let name = blocking.names[object] ?? "something"
    return name + (blocking.holders[object].map { ", held by \(self.name(of: $0))" } ?? "")
  }

  /// The objects and events that keep an operation from being done.
  private func hindrances(of operation: VisibleOperation) -> [Int] {
    operation.events.filter { blocking.events[$0] == nil }
      + operation.uses.filter { use in
        !(blocking.states[use.object] ?? use.initial).permits(use.action)
      }.map(\.object)
  }

  /// Where in the source an unfinished task waits; only in a run that is written down, for it is slow.
  private func line(of strand: Int) -> String {
    guard recorder != nil, runtime != nil, let site = strands[strand].task?.awaitSite else {
      return ""
    }
    return " (\(site))"
  }

  /// The tasks whose end this one certainly waits for.
  private func blockers(of strand: Int) -> [Int] {
    if let resource = wants[strand] { return holders[resource.id].map { [$0] } ?? [] }
    if let waiting = agenda.pending.first(where: { $0.strand == strand }) {
      return hindrances(of: waiting.operation).compactMap { blocking.holders[$0] }
    }
    guard runtime != nil else { return [] }
    switch strands[strand].task?.wait {
    case .task(let other): return strands.strand(of: other).map { [$0] } ?? []
    case .group: return strands.children(of: strand)
    case .continuation, nil: return []
    }
  }

  /// Tasks each of which waits for the next, and the last for the first; from the smallest number on.
  var cycle: [Int]? {
    for start in unfinished {
      var path = [start]
      var tried: Set<Int> = [start]
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
      if search() { return path }
    }
    return nil
  }

  /// Describes an execution in which nothing can go on before its end.
  var deadlock: Finding {
    func clause(_ strand: Int) -> String {
      "\(name(of: strand)) waits for \(wait(of: strand) ?? "something unknown")" + line(of: strand)
    }
    if let cycle {
      return Finding(
        .deadlock, "a cycle of \(cycle.count): " + cycle.map(clause).joined(separator: "; "))
    }
    let waiters = unfinished.map(clause).joined(separator: "; ")
    return Finding(
      .deadlock,
      "nothing can go on; suspected, since who would end the waits, another task or another thread, is not "
        + "known: \(waiters)")
  }

  /// Describes the tasks that are left after the scenario's end.
  var leak: Finding {
    let tasks = unfinished.map { strand in
      name(of: strand) + (wait(of: strand).map { ", which waits for \($0)" } ?? "")
        + line(of: strand)
    }
    return Finding(.leak, "the scenario has ended and left behind " + tasks.joined(separator: "; "))
  }
}
