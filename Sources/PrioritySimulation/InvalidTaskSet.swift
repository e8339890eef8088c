/// Why a task set cannot be simulated.
public struct InvalidTaskSet: Error, Hashable {
  /// The job, if it is one job's fault.
  public let job: String?
  /// Which of its segments, counted from 1, if it is one segment's fault.
  public let segment: Int?
  public let reason: Reason

  public enum Reason: Hashable, Sendable {
    /// A name stands for two jobs, or for two locks.
    case nameTwice(String)
    /// A number of ticks is negative, greater than 1,000,000,000, or a period or deadline of 0.
    case time(Int)
    /// A priority or a ceiling is not in −1,000,000,000 to 1,000,000,000.
    case priority(Int)
    /// No lock of the set has the name.
    case unknownLock(String)
    /// The job has the lock already.
    case alreadyHeld(String)
    /// The job does not have the lock.
    case notHeld(String)
    /// The job took another lock after this one and still has it.
    case notNested(String, inner: String)
    /// The job ends with the lock.
    case neverUnlocked(String)
    /// The job is more urgent than the ceiling of a lock that it takes; with the locks of a cycle in which
    /// jobs nest that lock, so that a deadlock is possible, or none.
    case ceilingTooLow(String, ceiling: Int, cycle: [String])
    /// A job is released again and again, and nothing says until when.
    case noHorizon
  }
}

extension InvalidTaskSet: CustomStringConvertible {
  public var description: String {
    var place = ""
    if let job { place += "job '\(job)'" }
    if let segment { place += ", segment \(segment)" }
    return (place.isEmpty ? "" : place + ": ") + reason.description
  }
}

extension InvalidTaskSet.Reason: CustomStringConvertible {
  public var description: String {
    switch self {
    case .nameTwice(let name): "the name '\(name)' is given twice"
    case .time(let ticks):
      "\(ticks) is no number of ticks: 0 to 1,000,000,000; 1 or more for a period or deadline"
    case .priority(let priority):
      "\(priority) is no priority: they go from -1,000,000,000 to 1,000,000,000"
    case .unknownLock(let lock): "there is no lock '\(lock)': add it to the set's locks"
    case .alreadyHeld(let lock):
      "'\(lock)' is locked already, by this job: it would wait for itself"
    case .notHeld(let lock): "'\(lock)' is unlocked without being locked"
    case .notNested(let lock, let inner):
      "'\(lock)' is unlocked before '\(inner)', which was locked after it: sections must nest"
    case .neverUnlocked(let lock): "'\(lock)' is never unlocked"
    case .ceilingTooLow(let lock, let ceiling, let cycle):
      "the ceiling of '\(lock)', \(ceiling), is below the job's priority"
        + (cycle.isEmpty
          ? ""
          : ", and sections nest in a cycle, \((cycle + [cycle[0]]).joined(separator: " > ")), "
            + "which that ceiling does not break")
    case .noHorizon: "it is released again and again: say `until:` when"
    }
  }
}
