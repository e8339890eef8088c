/// What a strand does in one step; false if it cannot be done yet.
typealias Act<State> = (inout State) -> Bool

/// The outcomes of every order of the strands' steps; nil among them if some order ends with strands that wait.
func outcomes<State, Outcome: Hashable>(
  from state: State, _ strands: [[Act<State>]], _ outcome: (State) -> Outcome
) -> Set<Outcome?> {
  if strands.allSatisfy(\.isEmpty) { return [outcome(state)] }
  var found: Set<Outcome?> = []
  var isStuck = true
  for (index, strand) in strands.enumerated() {
    guard let act = strand.first else { continue }
    var next = state
    guard act(&next) else { continue }
    isStuck = false
    var rest = strands
    rest[index].removeFirst()
    found.formUnion(outcomes(from: next, rest, outcome))
  }
  return isStuck ? [nil] : found
}
