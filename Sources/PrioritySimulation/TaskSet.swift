/// Jobs and the locks that they share: what is simulated.
///
/// Time is virtual and counted in ticks, whole numbers from 0 to 1,000,000,000; what a tick is, is up to
/// you.
public struct TaskSet: Hashable, Sendable {
  /// The jobs; of two that are equally urgent, the one that became ready first runs first, then the one
  /// that stands first.
  public var jobs: [Job]
  /// The locks, queues or actors that the jobs use.
  public var locks: [Lock]

  public init(jobs: [Job], locks: [Lock] = []) {
    self.jobs = jobs
    self.locks = locks
  }
}

/// Work with a priority, released once or again and again.
public struct Job: Hashable, Sendable {
  /// What charts and errors call it; no other job of the set has the name.
  public var name: String
  /// How urgent it is: the greater the number, the more urgent; −1,000,000,000 to 1,000,000,000.
  public var priority: Int
  /// When it is first released, in ticks.
  public var release: Int
  /// How many ticks lie between two releases, 1 or more; nil if it is released once. A release waits
  /// until the one before it is done.
  public var period: Int?
  /// Within how many ticks from its release it should be done; nil if that does not matter.
  public var deadline: Int?
  /// What each release does, in order.
  public var segments: [Segment]

  public init(
    _ name: String, priority: Int, release: Int = 0, period: Int? = nil, deadline: Int? = nil,
    _ segments: [Segment]
  ) {
    self.name = name
    self.priority = priority
    self.release = release
    self.period = period
    self.deadline = deadline
    self.segments = segments
  }
}

/// A part of what a job does.
public enum Segment: Hashable, Sendable {
  /// Uses a core for so many ticks.
  case compute(Int)
  /// Takes a lock, or enters a queue or an actor; takes no time, but may have to wait.
  case lock(String)
  /// Gives back the lock that was taken last; takes no time.
  case unlock(String)
  /// Suspends itself for so many ticks, as for a device, and keeps its locks.
  case wait(Int)
}

/// A lock, or what works like one: a serial queue, an actor.
public struct Lock: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What segments, charts and errors call it.
  public var name: String
  /// The priority ceiling; nil for the highest priority of the jobs that use the lock.
  public var ceiling: Int?

  public init(_ name: String, ceiling: Int? = nil) {
    self.name = name
    self.ceiling = ceiling
  }

  public init(stringLiteral name: String) { self.init(name) }
}
