// Looks right: it follows the dependencies until it comes to a step a second time. Wrong: the path to the cycle is named
// with it.

// region refuse
private func refuseImpossible<Value>(_ steps: [Step<Value>]) throws {
  let dependencies = Dictionary(uniqueKeysWithValues: steps.map { ($0.name, $0.dependencies) })
  for step in steps {
    if let name = step.dependencies.first(where: { dependencies[$0] == nil }) {
      throw PlanError.missing(name, neededBy: step.name)
    }
  }
  // Steps that could run are taken away, until none is left that could.
  var stuck = Set(dependencies.keys)
  while let name = stuck.first(where: { stuck.isDisjoint(with: dependencies[$0]!) }) {
    stuck.remove(name)
  }
  guard var name = stuck.first else { return }
  // Each of the others depends on another one of them, so the path comes to a name a second time.
  var path: [String] = []
  while !path.contains(name) {
    path.append(name)
    name = dependencies[name]!.first(where: stuck.contains)!
  }
  throw PlanError.cycle(path)
}
// endregion
