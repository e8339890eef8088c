/// What the step under way comes after and touches: from it a search learns which steps commute.
struct Footprint {
  /// What a step may touch besides actors and shared variables.
  enum Thing: Hashable {
    case world, clock, main
    case children(of: Int)
  }

  /// Where a shared variable was made.
  private enum Origin: Hashable {
    case inside(StrandTable.Birth)
    case outside(ObjectIdentifier)
  }

  /// Whether a search asks for it; it costs time.
  var isKept = false
  private(set) var accesses: [Access] = []
  var predecessors: [Int] = []
  /// What the step began with, if it is a strand's that blocks, and what that came to.
  var operation: VisibleOperation?
  var result = VisibleOperation.Result.done
  /// Whether the step took the place of another that was possible.
  var replacesAnother = false
  private var variables: [Origin: Int] = [:]
  private var made: [Int: Int] = [:]

  mutating func begin() {
    accesses.removeAll(keepingCapacity: true)
    predecessors.removeAll(keepingCapacity: true)
    replacesAnother = false
    operation = nil
    result = .done
  }

  /// Forgets the execution and keeps the numbers of variables.
  mutating func reset() {
    if !made.isEmpty { made.removeAll(keepingCapacity: true) }
  }

  /// Objects with numbers of their own: actors from 0 on, shared variables below it.
  mutating func touch(_ mode: Access.Mode, object: Int) {
    if isKept { accesses.append(Access(mode, object)) }
  }

  mutating func touch(_ mode: Access.Mode, _ thing: Thing) {
    guard isKept else { return }
    let number =
      switch thing {
      case .world: 1
      case .clock: 2
      case .main: 3
      case .children(let parent): 4 + 2 * parent
      }
    accesses.append(Access(mode, -number))
  }

  /// Numbers a shared variable that a strand makes, the same in every execution.
  mutating func variable(madeBy strand: Int?) -> Int {
    let parent = strand ?? -1
    let ordinal = (made[parent] ?? 0) + 1
    made[parent] = ordinal
    return number(of: .inside(.init(parent: parent, ordinal: ordinal)))
  }

  /// The number of a shared variable that was made outside the scenario and outlives it.
  mutating func variable(_ identity: ObjectIdentifier) -> Int { number(of: .outside(identity)) }

  private mutating func number(of origin: Origin) -> Int {
    if let number = variables[origin] { return number }
    let number = -(5 + 2 * variables.count)
    variables[origin] = number
    return number
  }
}
