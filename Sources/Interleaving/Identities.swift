import Synchronization

/// What an exploration steps: a task, a thread under control, or a job of the runtime.
///
/// It is known by its birth, so its number names the same strand in every execution.
package struct StrandID: Hashable, Comparable, Sendable {
  package let number: Int

  package init(_ number: Int) { self.number = number }

  /// Stands for what runs outside any strand: between executions, or to set up a `static`.
  package static let outside = StrandID(-1)

  package static func < (first: Self, second: Self) -> Bool { first.number < second.number }

  // A number is hashed at once where this is defined, and in several steps where it is not: a tenth of an
  // exploration of strands that block.
  package func _rawHashValue(seed: Int) -> Int { number._rawHashValue(seed: seed) }
}

/// One execution of one exploration.
package struct ExecutionID: Hashable, Sendable {
  /// The exploration's number in the process: its address may be another's later.
  private let exploration = explorations.add(1, ordering: .relaxed).newValue
  var ordinal = 0

  private static let explorations = Atomic(0)
}

/// How a strand or an object came to be, which is the same in every execution.
struct Birth: Hashable, Sendable {
  /// Nil outside any step.
  let maker: StrandID?
  /// How many its maker has made, with it.
  let ordinal: Int
}

/// What steps of different strands may touch, so that their order matters.
package enum ObjectID: Hashable, Sendable {
  /// A shared variable, an actor or a stream, or what a stand-in stands for: a lock, a queue, an event.
  case variable(Int)
  /// The groups of a strand, with what their tasks have come to.
  case groups(of: StrandID)
  /// Whether a task is cancelled, and who runs what is to be done then: a lock of the runtime's.
  case status(of: StrandID)
  /// Whether a task has ended, where others await it on actors.
  case end(of: StrandID)
  /// What a scenario has declared as a ``Resource``.
  case resource(Int)
  /// What a library or the system keeps, such as a file.
  case kept(UInt)
  /// All memory that is raced for.
  case memory
  /// The line of what is to be done on the main thread, for the main actor or the main queue.
  case main
  /// Held by who is on the main thread.
  case mainThread
  /// Virtual time.
  case clock

  package func hash(into hasher: inout Hasher) { hasher.combine(code) }

  // As of a strand.
  package func _rawHashValue(seed: Int) -> Int { code._rawHashValue(seed: seed) }

  /// A number of its own.
  var code: Int {
    switch self {
    case .status(let strand): strand.number << 3
    case .variable(let number): number << 3 | 1
    case .groups(let strand): strand.number << 3 | 2
    case .resource(let number): number << 3 | 3
    // Its lowest three bits are 0, and a high one is 1.
    case .kept(let identity): Int(bitPattern: identity | 5)
    case .memory: 4
    case .main: 5
    case .clock: 6
    case .mainThread: 12
    case .end(let strand): strand.number << 3 | 7
    }
  }
}

/// Where a step runs.
enum Isolation: Hashable, Sendable {
  /// On no actor.
  case nonisolated
  case main
  /// By its number in the execution.
  case actor(Int)
}
