/// Which steps come before which in every order that a reduction knows of, but for conflicts.
struct StepOrder {
  /// Of each step: by a strand's number, how many of the execution's steps there were when the latest step of
  /// that strand that comes before had begun.
  private var clocks: [[StrandID: Int]] = []
  private var released: [ObjectID: [StrandID: Int]] = [:]

  mutating func begin(_ step: Step) {
    var clock = [step.strand: clocks.count + 1]
    for cause in step.predecessors { clock.merge(clocks[cause], uniquingKeysWith: max) }
    clocks.append(clock)
  }

  /// Whether a step of a strand comes before the step under way.
  func isBefore(_ step: Int, of strand: StrandID) -> Bool {
    clocks.last?[strand, default: 0] ?? 0 > step
  }

  mutating func acquire(_ resource: ObjectID) {
    guard let last = clocks.indices.last, let clock = released[resource] else { return }
    clocks[last].merge(clock, uniquingKeysWith: max)
  }

  mutating func release(_ resource: ObjectID) {
    released[resource, default: [:]].merge(clocks.last ?? [:], uniquingKeysWith: max)
  }

  mutating func reset() {
    clocks.removeAll(keepingCapacity: true)
    if !released.isEmpty { released = [:] }
  }
}
