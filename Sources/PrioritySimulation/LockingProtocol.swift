/// What happens when a job wants a lock, and how urgent a job is that holds one.
///
/// All protocols are answers to the same three questions, and differ in nothing else:
///
/// | protocol | who may take a lock | what raises a job | keeps it while suspended |
/// | --- | --- | --- | --- |
/// | ``noProtocol`` | whoever is most urgent, once it is free | nothing | yes |
/// | ``inheritance`` | whoever is most urgent, once it is free | those whom it blocks | yes |
/// | ``originalCeiling`` | who is above the ceilings that others hold | those whom it blocks | yes |
/// | ``immediateCeiling`` | whoever is most urgent, once it is free | the ceilings that it holds | yes |
/// | ``fifoQueue`` | who came first | nothing | yes |
/// | ``fifoQueueWithOverride`` | who came first | those whom it blocks | yes |
/// | ``actor`` | whoever is most urgent, once it is free | those whom it blocks | no |
public struct LockingProtocol: Hashable, Sendable {
  /// Who may take a lock.
  public enum Admission: Hashable, Sendable {
    /// Any job, if the lock is free; of several, the most urgent gets there first.
    case whenFree
    /// The job that has waited longest, if the lock is free.
    case inTurn
    /// A job more urgent than the ceiling of every lock that another job holds.
    case aboveCeilings
  }

  /// What makes a job more urgent than it is by itself.
  public enum Boost: Hashable, Sendable {
    case nothing
    /// The jobs that it blocks, and those that they block, and so on.
    case blockedJobs
    /// The ceilings of the locks that it holds.
    case ceilings
  }

  public let name: String
  public let admission: Admission
  public let boost: Boost
  /// Whether a job that suspends itself or takes another lock keeps what it has; if not, it gives it back
  /// and takes it again afterwards.
  public let holdsWhileSuspended: Bool

  private init(
    _ name: String, _ admission: Admission, _ boost: Boost, holdsWhileSuspended: Bool = true
  ) {
    self.name = name
    self.admission = admission
    self.boost = boost
    self.holdsWhileSuspended = holdsWhileSuspended
  }
}

extension LockingProtocol: CustomStringConvertible {
  /// A lock that knows nothing of priorities: a semaphore, a mutex with `PTHREAD_PRIO_NONE`.
  public static let noProtocol = Self("no protocol", .whenFree, .nothing)
  /// Priority inheritance, transitive (Sha, Rajkumar and Lehoczky 1990): `PTHREAD_PRIO_INHERIT`.
  public static let inheritance = Self("priority inheritance", .whenFree, .blockedJobs)
  /// The original priority ceiling protocol (Sha, Rajkumar and Lehoczky 1990), for one core.
  public static let originalCeiling = Self(
    "original priority ceiling", .aboveCeilings, .blockedJobs)
  /// The immediate priority ceiling protocol, for one core: suggested by Lampson and Redell (1980), what
  /// the stack resource policy of Baker (1991) is under fixed priorities, `PTHREAD_PRIO_PROTECT`.
  public static let immediateCeiling = Self("immediate priority ceiling", .whenFree, .ceilings)
  /// A serial queue that is served in the order of arrival.
  public static let fifoQueue = Self("FIFO queue", .inTurn, .nothing)
  /// A serial queue that is served in the order of arrival, where the most urgent of those who wait raises
  /// all that is ahead of it: what Dispatch does on Apple systems for work that somebody waits for.
  public static let fifoQueueWithOverride = Self(
    "FIFO queue with override", .inTurn, .blockedJobs)
  /// An actor that serves the most urgent first, escalates the job inside, and may be entered by others
  /// while a job inside it is suspended: what Swift does (SE-0306, SE-0462).
  public static let actor = Self(
    "priority-ordered actor", .whenFree, .blockedJobs, holdsWhileSuspended: false)

  /// All of them.
  public static let all = [
    noProtocol, inheritance, originalCeiling, immediateCeiling, fifoQueue, fifoQueueWithOverride,
    actor,
  ]

  public var description: String { name }
}

/// Which of the jobs that could run do run.
public enum Dispatching: Hashable, Sendable {
  /// The most urgent, until they are done or something more urgent comes.
  case fixedPriority
  /// The most urgent, those that are equally urgent in turn (`SCHED_RR`).
  ///
  /// - Parameter quantum: How many ticks a turn takes, 1 or more.
  case roundRobin(quantum: Int)
  /// The most urgent, where a release becomes more urgent by one for each so many ticks that it has
  /// been ready and did not run.
  ///
  /// - Parameter interval: How many ticks, 1 or more.
  case ageing(interval: Int)
}
