/// At least one schedule of every class of schedules that differ only in the order of steps that
/// commute: dynamic partial-order reduction with source sets and sleep sets.
///
/// After Abdulla, Aronis, Jonsson and Sagonas, *Source Sets: A Foundation for Optimal Dynamic Partial
/// Order Reduction*, JACM 64(4), 2017, algorithm 1; sleep sets after Godefroid. The proof obligations
/// and the notion of commuting are in the manual, *Reduction*.
package struct ReducedSearch: PathSearch {
  struct Node: SearchNode {
    let strands: [StrandID]
    var index: Int
    /// The strands to try here; `asleep` holds those that need no (further) try.
    var backtrack: Set<StrandID>
    fileprivate var asleep: [StrandID: Sleeper]
    let knownActors: Int
    var step: Step?

    mutating func advance() -> Bool {
      if let step { asleep[chosen] = Sleeper(accesses: step.accesses, knownActors: knownActors) }
      let next = strands.firstIndex { backtrack.contains($0) && asleep[$0] == nil }
      index = next ?? index
      return next != nil
    }
  }

  /// A strand whose next step has been explored from an equivalent state.
  fileprivate struct Sleeper {
    let accesses: [Access]
    /// Actors with smaller numbers are the same now as when the step was seen.
    let knownActors: Int

    func commutes(with step: Step) -> Bool {
      for mine in accesses {
        for other in step.accesses where Access.conflict(mine.mode, other.mode) {
          if mine.object == other.object { return false }
          if isNew(mine.object), isNew(other.object) { return false }
        }
      }
      return true
    }

    private func isNew(_ object: ObjectID) -> Bool {
      if case .actor(let number) = object { number >= knownActors } else { false }
    }
  }

  var path = SearchPath<Node>()

  package init() {}

  package var needsAccesses: Bool { true }

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    try path.choose(point) { nodes throws(Divergence) in
      var asleep: [StrandID: Sleeper] = [:]
      if let last = nodes.last, let step = last.step {
        asleep = last.asleep.filter { $0.key != step.strand && $0.value.commutes(with: step) }
      }
      let awake = point.strands.filter { asleep[$0] == nil }
      // Where all sleep, whatever goes on from here has been explored.
      guard let first = awake.first else { return nil }
      let chosen = awake.first { $0 == point.previous } ?? first
      return Node(
        strands: point.strands, index: point.strands.firstIndex(of: chosen)!,
        backtrack: point.triesAll ? Set(point.strands) : [chosen], asleep: asleep,
        knownActors: point.knownActors)
    }
  }

  package mutating func finish(_ blocked: [Step]) {
    let order = HappensBefore(path.end()) { [path] in $0 >= path.fresh }
    for race in order.races {
      let initials = order.reversal(of: race, toTheEnd: false).initials
      let node = race.earlier
      if initials.contains(where: {
        path.nodes[node].backtrack.contains($0) || path.nodes[node].asleep[$0] != nil
      }) {
        continue
      }
      let later = order.steps[race.later].strand
      let strand = initials.contains(later) ? later : initials[0]
      if path.nodes[node].strands.contains(strand) {
        path.nodes[node].backtrack.insert(strand)
      } else {
        path.nodes[node].backtrack.formUnion(path.nodes[node].strands)
      }
    }
    for step in order.hiding {
      path.nodes[step].backtrack.formUnion(path.nodes[step].strands)
    }
    path.markAnalysed()
  }
}
