// Looks right: the steps that could never begin are those of the cycle. Wrong: so are the steps that depend on it.

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
  if !stuck.isEmpty { throw PlanError.cycle(stuck.sorted()) }
}
// endregion
