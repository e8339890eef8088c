/// A way through the schedules of a scenario: which strand goes on at each scheduling point.
///
/// A search knows nothing of tasks or threads. A *strand* is whatever the front end steps: a number
/// that names the same strand in every execution. The front end runs one execution after another,
/// asks at each point and reports each step.
package protocol Search: Sendable {
  /// Whether each step must be reported with what it touched; it costs time.
  var needsAccesses: Bool { get }

  /// Prepares the next execution; returns false if none is left.
  mutating func begin() -> Bool

  /// Prepares the same execution again, since it was not run to its end.
  mutating func retry()

  /// The index of the strand that goes on.
  ///
  /// - Throws: `Divergence` if this point is not the one that the same choices led to before.
  mutating func choose(_ point: SchedulingPoint) throws(Divergence) -> Int

  /// Learns of the step that followed the last choice.
  mutating func observe(_ step: Step)

  /// Learns that the execution has ended, and which strands wait in vain.
  mutating func finish(_ blocked: [Step])

  /// Whether the execution that ended repeats earlier ones in another order.
  var isRedundant: Bool { get }

  /// Whether it visits every schedule that it promises to before `begin` returns false.
  var isExhaustive: Bool { get }
}

extension Search {
  package var needsAccesses: Bool { false }
  package mutating func observe(_ step: Step) {}
  package mutating func finish(_ blocked: [Step]) {}
  package var isRedundant: Bool { false }
  package var isExhaustive: Bool { true }
}

/// A state in which at least one strand can go on.
package struct SchedulingPoint {
  /// The strands that can go on, in an order that the same choices always lead to.
  package let strands: [Int]
  /// The strand that took the step before, if any.
  package let previous: Int?
  /// How many objects with numbers from 0 on have been met.
  package let knownObjects: Int
  /// Whether a step taken here may take others away that steps commuting with it would not bring back,
  /// so that each strand must be tried.
  package let triesAll: Bool

  package init(strands: [Int], previous: Int?, knownObjects: Int, triesAll: Bool = false) {
    self.strands = strands
    self.previous = previous
    self.knownObjects = knownObjects
    self.triesAll = triesAll
  }

  /// Whether picking this index takes the turn from a strand that could have gone on.
  package func isPreemption(_ index: Int) -> Bool {
    guard let previous, strands[index] != previous else { return false }
    return strands.contains(previous)
  }
}

/// One step of a strand: all that it does until the next scheduling point.
package struct Step {
  package let strand: Int
  /// The earlier steps that come before this one in every order: the one that made it possible, the
  /// one before it on the same actor.
  package let predecessors: [Int]
  /// What it touched that other strands may touch.
  package let accesses: [Access]
  /// Whether it took the place of a step that another strand could have taken, such as a sleeper's
  /// waking, which it cancelled.
  package let replacesAnother: Bool
  /// What it began with, if not every state lets it begin.
  package let operation: VisibleOperation?
  /// What the operation came to.
  package let result: VisibleOperation.Result

  package init(
    strand: Int, predecessors: [Int], accesses: [Access], replacesAnother: Bool = false,
    operation: VisibleOperation? = nil, result: VisibleOperation.Result = .done
  ) {
    self.strand = strand
    self.predecessors = predecessors
    self.accesses = accesses
    self.replacesAnother = replacesAnother
    self.operation = operation
    self.result = result
  }
}

/// A step's use of something that other strands may use.
package struct Access: Hashable {
  package enum Mode {
    case read, post, enter, write
    /// Arms what may keep another strand from firing, or fires what was armed: a timer.
    case arm, fire
  }

  /// Negative: the same object in every execution. From 0 on: numbered as met in this execution.
  package let object: Int
  package let mode: Mode

  package init(_ mode: Mode, _ object: Int) {
    self.object = object
    self.mode = mode
  }

  /// Whether the order of two uses of one object matters; two of one kind commute, unless they write.
  package static func conflict(_ first: Mode, _ second: Mode) -> Bool {
    first != second || first == .write
  }
}

/// A scheduling point was not the one that the same choices had led to before.
package struct Divergence: Error {
  package init() {}
}
