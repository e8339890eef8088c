/// What a simulation gave.
public struct Simulation: Hashable, Sendable {
  public let tasks: TaskSet
  public let policy: LockingProtocol
  public let dispatching: Dispatching
  public let cores: Int
  /// One for each release, in the order of the jobs, then of time.
  public internal(set) var responses: [Response] = []
  /// The jobs that wait for each other for ever.
  public internal(set) var deadlocks: [Deadlock] = []
  /// How often a core took up another release than the one that it had worked on.
  public internal(set) var contextSwitches = 0
  /// How many things happened: releases, locks taken, refused and given back, suspensions, wake-ups, ends,
  /// context switches, turns and steps of age.
  public internal(set) var events = 0
  /// When the last thing happened, in ticks.
  public internal(set) var end = 0
  /// What each job did and when, in the order in which that ended.
  public internal(set) var spans: [Span] = []

  /// The responses of a job.
  ///
  /// - Returns: One for each release; none if no job is called so.
  /// - Complexity: O(*n*) in the number of releases.
  public func responses(of job: String) -> [Response] { responses.filter { $0.job == job } }
}

/// How a release of a job fared.
public struct Response: Hashable, Sendable {
  public let job: String
  /// Which release of the job it is, counted from 1.
  public let number: Int
  /// When it was released, in ticks.
  public let release: Int
  /// When it was done, in ticks; nil if it never was.
  public let completion: Int?
  /// When it should have been done, in ticks, if that matters.
  public let deadline: Int?
  /// Which less urgent releases delayed it, in the order in which they began to.
  public let blocking: [Blocking]

  /// How long it took from release to completion, in ticks; nil if it was never done.
  public var time: Int? { completion.map { $0 - release } }
  /// How long less urgent work, or an idle core, delayed it, in ticks.
  public var blocked: Int { blocking.reduce(0) { $0 + $1.time } }
  /// Whether it missed its deadline.
  public var isLate: Bool {
    guard let deadline else { return false }
    return completion.map { $0 > deadline } ?? true
  }
}

/// A delay of a release by work that is less urgent: priority inversion.
///
/// A release is blocked while it has work, does not run, has not suspended itself, and fewer jobs of its
/// own priority or above run than there are cores. What counts is the priority that the jobs were given.
/// On one core this is the blocking of Sha, Rajkumar and Lehoczky (1990).
public struct Blocking: Hashable, Sendable {
  /// The job that ran or, when a core was idle, the one that was waited for.
  public let job: String
  /// Which release of that job.
  public let number: Int
  /// Which of the critical sections of that release, counted from 1, nested ones with the outermost; nil
  /// if it was in none.
  public let section: Int?
  /// The lock of that section.
  public let lock: String?
  /// For how many ticks.
  public let time: Int
}

/// Jobs that wait for each other.
public struct Deadlock: Hashable, Sendable, CustomStringConvertible {
  public struct Wait: Hashable, Sendable {
    public let job: String
    public let lock: String
    /// The job that keeps it from getting the lock.
    public let blocker: String
  }

  /// When the last of them began to wait, in ticks.
  public let time: Int
  /// Each waits for the next one, and the last one for the first.
  public let cycle: [Wait]

  public var description: String {
    "at \(time): "
      + cycle.map { "\($0.job) waits for \($0.lock), held by \($0.blocker)" }
      .joined(separator: "; ")
  }
}

/// A time in which a job did the same all along.
public struct Span: Hashable, Sendable {
  public enum Activity: Hashable, Sendable {
    /// It ran, and the lock that it had taken last is given.
    case running(core: Int, lock: Int?)
    /// It could have run.
    case ready
    /// It could not get a lock.
    case blocked
    /// It had suspended itself.
    case waiting
  }

  /// The index of the job.
  public let job: Int
  /// Which release of the job, counted from 1.
  public let number: Int
  /// From when until when, in ticks.
  public let time: Range<Int>
  public let activity: Activity
  /// How urgent it was.
  public let priority: Int
}
