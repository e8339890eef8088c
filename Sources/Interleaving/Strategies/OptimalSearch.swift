/// One schedule of every class of schedules that differ only in the order of steps that commute:
/// optimal dynamic partial-order reduction with wakeup trees.
///
/// After Abdulla, Aronis, Jonsson and Sagonas, *Source Sets: A Foundation for Optimal Dynamic Partial
/// Order Reduction*, JACM 64(4), 2017, algorithm 2, with its treatment of steps that keep others from
/// being possible. It takes steps whose accesses are known before they are taken: strands that block.
/// The proof obligations are in the manual, *Reduction*.
///
/// Say A and B write x, and C writes y. The first execution is A, B, C. Its one race is A's write and B's, so
/// `finish` wants an execution that begins with B: it puts that sequence into the wakeup tree `later` of the
/// first node. No race has a step of C's, so no other order of C is tried. `begin` comes back to the first node
/// and takes the branch: B is chosen, and A falls asleep, with what it would touch. B's step wakes A, since both
/// write x, and A and C follow. The race of this execution is the same, but A is asleep where it would have
/// to go first: whatever begins so has been run. Two executions, two classes.
package struct OptimalSearch: PathSearch {
  /// A strand's next step, and what it will touch.
  fileprivate struct NextStep {
    let strand: StrandID
    let accesses: [Access]
    /// Which way it goes, if it may go several.
    let way: Int?

    init(_ strand: StrandID, _ accesses: [Access]) {
      self.strand = strand
      self.accesses = accesses
      way = nil
    }

    init(_ step: Step) {
      strand = step.strand
      accesses = step.accesses
      way = step.way
    }

    /// How it stands to a sequence of steps.
    func standing(
      to sequence: ReversedRace, _ rest: some BidirectionalCollection<Int>
    ) -> Standing {
      if let own = rest.first(where: { sequence.step($0).strand == strand }) {
        let isFirst = !rest.prefix { $0 != own }.contains { sequence.comes($0, before: own) }
        return isFirst ? .initial(own) : .other
      }
      return rest.allSatisfy { !sequence.step($0).accesses.conflict(with: accesses) }
        ? .commuting : .other
    }
  }

  fileprivate enum Standing: Equatable {
    /// It is the step at a position of the sequence and could be the first.
    case initial(Int)
    /// It is not in the sequence and commutes with all of it.
    case commuting
    case other
  }

  /// Sequences of steps that are to be taken, those with a common beginning sharing it, in the order in
  /// which they are.
  fileprivate struct WakeupTree {
    struct Branch {
      let first: NextStep
      var rest: WakeupTree
    }

    var branches: [Branch] = []

    /// Adds a sequence, unless one that is there leads to whatever it does.
    ///
    /// - Parameters:
    ///   - rest: Which steps of it are not in the tree's sequences so far, in order.
    ///   - sleepers: What will be asleep when the sequence is taken, as long as it commutes with it.
    ///   - isRoot: Whether nothing has led here; else an empty tree stands for every sequence.
    /// - Returns: Whether it leans on a step that is not in the sequence and commutes with it.
    mutating func insert(
      _ sequence: ReversedRace, _ rest: [Int], _ sleepers: [NextStep], isRoot: Bool = true
    ) -> Bool {
      if branches.isEmpty, !isRoot { return false }
      var leans = false
      if let first = rest.first, sequence.step(first).way != nil {
        // Others are for each way, and for this one, too, from now on.
        let each = WakeupTree(branches: branches.filter { $0.first.way == nil })
        let choice = NextStep(sequence.step(first))
        let known = branches.firstIndex { $0.first.way == choice.way }
        if known == nil, !each.branches.isEmpty {
          branches.append(Branch(first: choice, rest: each))
        }
        if known != nil || !each.branches.isEmpty {
          let rest = Array(rest.dropFirst())
          return !rest.isEmpty
            && branches[known ?? branches.endIndex - 1].rest
              .insert(sequence, rest, sleepers, isRoot: false)
        }
      } else {
        for index in branches.indices where branches[index].first.way != nil {
          leans =
            branches[index].rest.insert(sequence, rest, sleepers, isRoot: false) || leans
        }
      }
      var sleepers = sleepers
      for index in branches.indices where branches[index].first.way == nil {
        let first = branches[index].first
        var rest = rest
        switch first.standing(to: sequence, rest) {
        case .other:
          sleepers.append(first)
          continue
        case .initial(let own):
          rest.removeAll { $0 == own }
          // A choice follows its strand's step at once.
          let next = rest.firstIndex { sequence.step($0).strand == first.strand }
          if let next, sequence.step(rest[next]).way != nil {
            rest.insert(rest.remove(at: next), at: 0)
          }
        case .commuting:
          _ = branches[index].rest.insert(sequence, rest, sleepers, isRoot: false)
          return true
        }
        return !rest.isEmpty
          && branches[index].rest.insert(sequence, rest, sleepers, isRoot: false) || leans
      }
      // What follows once all are awake is found by itself.
      var length = (rest.firstIndex(of: sequence.reversed) ?? rest.count - 1) + 1
      while length < rest.count,
        sleepers.contains(where: { $0.standing(to: sequence, rest.prefix(length)) != .other })
      {
        length += 1
      }
      var tree = WakeupTree()
      for position in rest.prefix(length).reversed() {
        tree = WakeupTree(
          branches: [Branch(first: NextStep(sequence.step(position)), rest: tree)])
      }
      branches += tree.branches
      return leans
    }
  }

  struct Node: SearchNode {
    let strands: [StrandID]
    var index: Int
    var step: Step?
    /// What must follow the chosen strand's step; handed on to the next node.
    fileprivate var ahead = WakeupTree()
    /// What is to be tried here after the chosen strand.
    fileprivate var later = WakeupTree()
    /// Strands whose next step has been explored from an equivalent state, with what it touches.
    var asleep: [StrandID: [Access]] = [:]
    /// Whether a race whose later step is the chosen one was left, or sent another way, because of a step
    /// that commuted with what followed: where that differs, it is looked at again.
    var isOpen = false
    /// If the chosen strand's step may go several ways, those that are to be tried. Each is, wherever such a step is met: for
    /// each way the search is what it would be if there were no other, and what it knows of the steps before is the same.
    var ways: [Int]?
    /// What must follow each of these ways, but for those of which it is said what must.
    fileprivate var afterEach = WakeupTree()

    mutating func advance() -> Bool {
      if ways != nil { return takeWay() }
      if let step { asleep[chosen] = step.accesses }
      isOpen = false
      return takeBranch()
    }

    /// What would have been replaced is to be tried here, too.
    mutating func take(_ replaced: Replacement) {
      guard strands.contains(replaced.strand), asleep[replaced.strand] == nil,
        !later.branches.contains(where: { $0.first.strand == replaced.strand })
      else { return }
      let first = NextStep(replaced.strand, replaced.accesses)
      later.branches.append(.init(first: first, rest: WakeupTree()))
    }

    /// Chooses what is to be tried next, if anything is.
    mutating func takeBranch() -> Bool {
      guard !later.branches.isEmpty else { return false }
      let branch = later.branches.removeFirst()
      // What was ready where the branch was made is ready here, or the executions diverge.
      index =
        strands.indices.first {
          strands[$0] == branch.first.strand && (ways == nil || $0 == branch.first.way)
        } ?? strands.count
      ahead = branch.rest
      return true
    }

    /// Chooses the way that is to be tried next, if any is: first those that must be followed by something.
    mutating func takeWay() -> Bool {
      if !takeBranch() {
        guard let next = ways?.first else { return false }
        (index, ahead) = (next, afterEach)
      }
      ways?.removeAll { $0 == index }
      return true
    }
  }

  var path = SearchPath<Node>()

  package init() {}

  package var needsAccesses: Bool { true }
  package private(set) var needsOrderOfBookkeeping = false

  package mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int {
    try path.choose(point) { nodes throws(Divergence) in
      var node = Node(strands: point.strands, index: 0)
      if let last = nodes.indices.last, let step = nodes[last].step {
        node.asleep = nodes[last].asleep.filter {
          $0.key != step.strand && !$0.value.conflict(with: step.accesses)
        }
        if point.isHidden {
          swap(&node.ahead, &nodes[last].ahead)
          return node
        }
        swap(&node.later, &nodes[last].ahead)
      }
      if point.isHidden { return node }
      if point.isChoice {
        node.ways = Array(point.strands.indices)
        node.afterEach.branches = node.later.branches.filter { $0.first.way == nil }
        node.later.branches.removeAll { $0.first.way == nil }
        _ = node.takeWay()
        return node
      }
      if !node.takeBranch() {
        let awake = point.strands.filter { node.asleep[$0] == nil }
        // That all sleep is not met where every access is known beforehand.
        guard let first = awake.first else { return nil }
        let chosen = awake.first { $0 == point.previous } ?? first
        node.index = point.strands.firstIndex(of: chosen)!
      }
      return node
    }
  }

  package mutating func finish(_ blocked: [Step]) {
    let order = HappensBefore(path.end(), blocked: isRedundant ? [] : blocked) { [path] in
      $0 >= path.fresh || path.nodes[$0].isOpen
    }
    needsOrderOfBookkeeping = needsOrderOfBookkeeping || order.canTellEntersFromLeaves
    for race in order.races {
      let node = race.earlier
      let sleepers = path.nodes[node].asleep.map { NextStep($0.key, $0.value) }
      let isFirst = sleepers.isEmpty && path.nodes[node].later.branches.isEmpty
      let sequence = order.reversal(of: race, toTheEnd: !isFirst)
      let standings = sleepers.map { $0.standing(to: sequence, sequence.positions) }
      // Of the sleepers that it could begin with, the one that comes first in it.
      let initial = standings.compactMap { if case .initial(let own) = $0 { own } else { nil } }
        .min()
      let isOpen =
        initial.map { $0 >= sequence.settled }
        ?? (standings.contains(.commuting)
          || path.nodes[node].later.insert(sequence, Array(sequence.positions), sleepers)
          || sequence.settled < sequence.positions.count)
      if isOpen, race.later < path.nodes.count { path.nodes[race.later].isOpen = true }
    }
    for (index, step) in order.steps.prefix(path.nodes.count).enumerated()
    where index >= path.fresh {
      if let replaced = step.replaced { path.nodes[index].take(replaced) }
    }
    path.markAnalysed()
  }
}
