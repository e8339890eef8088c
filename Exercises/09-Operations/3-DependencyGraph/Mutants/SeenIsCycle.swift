// Looks right: it walks along the dependencies, and a step that it has seen already closes a cycle. Wrong: two steps may
// depend on one, and then it is seen twice.

// region refuse
private func refuseImpossible<Value>(_ steps: [Step<Value>]) throws {
  let dependencies = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.dependencies) })
  func walk(_ name: String, _ path: [String], _ seen: inout Set<String>) throws {
    guard seen.insert(name).inserted else {
      throw PlanError.cycle(Array(path.drop { $0 != name }))
    }
    for next in Set(dependencies[name]!).sorted() {
      guard dependencies[next] != nil else { throw PlanError.missing(next, neededBy: name) }
      try walk(next, path + [name], &seen)
    }
  }
  for step in steps {
    var seen: Set<String> = []
    try walk(step.name, [], &seen)
  }
}
// endregion
