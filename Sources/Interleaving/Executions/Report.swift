/// What one execution came to.
///
/// Thrown if that was not brought to its end under control.
struct Report: Error {
  /// What an optimal reduction must tell apart, beside the classes of schedules, for nothing to be missed.
  struct Orders: OptionSet, Sendable {
    let rawValue: UInt8

    static let classes: Self = []
    /// The order of a task's end and of awaiting it: on an actor, a task was awaited, and only who waits leaves the actor.
    static let ofAwaiting = Self(rawValue: 1 << 0)
    /// Besides, that of what is done for bookkeeping: entering a group with leaving it, and what is added to a queue of
    /// limited width with what finishes in it. Something was met that can tell.
    static let ofBookkeeping: Self = [ofAwaiting, Self(rawValue: 1 << 1)]
    /// Besides, that of leaving a group and leaving it: a strand has trapped since it left a group that nobody had
    /// entered, and which of two does that depends on their order.
    static let ofLeaving: Self = [ofBookkeeping, Self(rawValue: 1 << 2)]
    /// Who takes the lock of a task's status, and when: a strand has met one that another held, which cancels the task
    /// and lets others go on meanwhile.
    static let ofStatuses = Self(rawValue: 1 << 3)
    /// All: what matters is decided by no two steps alone, such as tasks' priorities, or differs with each execution, such
    /// as a file's random name; or a strand has met another lock of the runtime's that is held, which is a step more than
    /// where it is not.
    static let ofSchedules: Self = [ofLeaving, ofStatuses, Self(rawValue: 1 << 4)]
  }

  /// What was met that an optimal reduction must tell apart.
  struct Demand: Sendable {
    private(set) var orders = Orders.classes
    /// Why it must leave out nothing, in words; nil if it may.
    private(set) var reason: String?

    mutating func add(_ more: Orders) { orders.formUnion(more) }

    mutating func add(_ more: Self) {
      orders.formUnion(more.orders)
      reason = reason ?? more.reason
    }

    /// Nothing may be left out, for a reason.
    mutating func addAll(_ reason: @autoclosure () -> String) {
      orders = .ofSchedules
      self.reason = self.reason ?? reason()
    }
  }

  /// Whether a lock was tried, whose success depends on when another unlocks.
  var hasTriedLocks = false
  /// Whether a task has unlocked without others being let go on before.
  var hasUnlockedAtOnce = false
  /// Whether something was used that may block, other than a lock of the runtime's or a real one.
  var usesStandIns = false
  /// A lock that a strand has locked to read once more, while another strand locks it to write at some time.
  var lockReadAgain: String?
  /// Whether it was cut off at the limit on steps: what would go on for ever cannot be unwound.
  var isCutOff = false
  /// Whether a scheduling point was not the one that the same choices had led to before; from there on no
  /// search was asked.
  var hasDiverged = false
  /// For each point with two or more candidates, the index of the one that went on.
  var choices: [Int] = []
  var digest = Digest()
  /// How often the turn passed from one strand to another.
  var switches = 0
  /// What was noticed on the way.
  var findings: [Finding] = []
  var races: [Race] = []
  /// Whether a strand did what would end the process.
  var hasTrapped = false
  /// Whether a step did not come to its end.
  var isStuck = false
  /// Whether what a strand did may have broken memory, or has left what nobody can set up any more.
  var isDamaged = false
  /// What was set up once in the process by a strand that let others go on meanwhile.
  var setUp: String?
  /// The tasks that have begun and not ended, where that can be seen.
  var unfinished: [Waiter] = []
  /// Those of them each of which waits for the next, and the last for the first; nil if none do.
  var cycle: [Waiter]?
  /// The strands that wait in vain, with what they wait for.
  var blocked: [Step] = []
  /// Whether another thread had a hand in it, or in an earlier one.
  var hasEscaped = false
  /// What the optimal reduction must not leave out.
  var demand = Demand()
  /// A task that was resumed by a step that nothing visible puts after its wait, which the reduction's assumption
  /// does not allow; the first.
  var unorderedWake: (waker: StrandID, woken: StrandID)?
  var names = StrandNames()
  /// What was written down, if that was asked for.
  var recorder: Recorder?
}
