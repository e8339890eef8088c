/// A way through the schedules of a scenario: which strand goes on at each scheduling point.
///
/// A search knows nothing of tasks or threads. The front end runs one execution after another. At each point
/// it asks which strand goes on, and after each step it tells what the step has touched:
///
///     while search.begin() {
///       while let point = … { step(point.strands[try search.choose(point)]); search.observe(…) }
///       search.finish(blocked)
///     }
///
/// The same choices lead to the same point in every execution, so a search needs no more than its choices
/// to come back to a point, and to choose otherwise there.
package protocol Search: Sendable {
  /// Whether each step must be reported with what it touched; it costs time.
  var needsAccesses: Bool { get }

  /// Prepares the next execution; returns false if none is left.
  mutating func begin() -> Bool

  /// The index of the strand that goes on.
  ///
  /// - Throws: `Divergence` if this point is not the one that the same choices led to before.
  mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int

  /// Learns of the step that followed the last choice.
  mutating func observe(_ step: Step)

  /// Learns that the execution has ended, and which strands wait in vain.
  mutating func finish(_ blocked: [Step])

  /// Whether an execution has shown that what is done for bookkeeping has an order that matters.
  var needsOrderOfBookkeeping: Bool { get }

  /// Whether the execution that ended repeats earlier ones in another order.
  var isRedundant: Bool { get }

  /// Whether it visits every schedule that it promises to before `begin` returns false.
  var isExhaustive: Bool { get }

  /// About which share of the schedules it has visited, and how many choices from the first on it has not changed yet; nil
  /// if that is not known.
  var extent: (share: Double, unchanged: Int)? { get }
}

extension Search {
  package var needsAccesses: Bool { false }
  package mutating func observe(_ step: Step) {}
  package mutating func finish(_ blocked: [Step]) {}
  package var needsOrderOfBookkeeping: Bool { false }
  package var isRedundant: Bool { false }
  package var isExhaustive: Bool { true }
  package var extent: (share: Double, unchanged: Int)? { nil }
}

/// A state in which at least one strand can go on.
package struct SchedulingPoint {
  /// The strands that can go on, in an order that the same choices always lead to.
  package let strands: [StrandID]
  /// The strand that took the step before, if any.
  package let previous: StrandID?
  /// Whether the step does nothing that others see: then it is the only one that can go on here.
  package let isHidden: Bool
  /// Whether one strand alone can go on, in several ways: then it is there once for each.
  package let isChoice: Bool

  package init(
    strands: [StrandID], previous: StrandID?, isHidden: Bool = false, isChoice: Bool = false
  ) {
    self.strands = strands
    self.previous = previous
    self.isHidden = isHidden
    self.isChoice = isChoice
  }

  /// Whether picking this index takes the turn from a strand that could have gone on.
  package func isPreemption(_ index: Int) -> Bool {
    guard let previous, strands[index] != previous else { return false }
    return strands.contains(previous)
  }
}

/// One step of a strand: all that it does until the next scheduling point.
package struct Step: Sendable {
  package let strand: StrandID
  /// The earlier steps that come before this one in every order: the one that made it possible, the
  /// one before it on the same actor.
  package var predecessors: [Int]
  /// How many steps there were before time has passed for it because nothing else could go on: they come before it in
  /// every order, unless it did not have to wait; nil if time has not passed so.
  package var passage: Int?
  /// What it touched that other strands may touch.
  package var accesses: [Access]
  /// Whether it does nothing that others see.
  package var isHidden = false
  /// The step of another strand that it took the place of, with what that would have touched: a sleeper was woken
  /// before its time.
  package var replaced: Replacement?
  /// Which way it went, from 0, if it could go several.
  package var way: Int?
  /// What it began with, if not every state lets it begin.
  package var operation: VisibleOperation?
  /// What the operation came to.
  package var result = VisibleOperation.Result.done

  package init(
    strand: StrandID, predecessors: [Int] = [], accesses: [Access] = [], way: Int? = nil,
    operation: VisibleOperation? = nil, result: VisibleOperation.Result = .done
  ) {
    self.strand = strand
    self.way = way
    self.predecessors = predecessors
    self.accesses = accesses
    self.operation = operation
    self.result = result
  }

  mutating func touch(_ mode: Access.Mode, _ object: ObjectID) {
    accesses.append(Access(mode, object))
  }
}

/// A step that will not be taken.
package struct Replacement: Sendable {
  package let strand: StrandID
  package let accesses: [Access]
}

/// A scheduling point was not the one that the same choices had led to before.
package struct Divergence: Error {
  package init() {}
}
