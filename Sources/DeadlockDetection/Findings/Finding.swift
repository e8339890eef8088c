/// Something that the detector has found.
public struct Finding: Sendable {
  /// What was found.
  public enum Kind: String, Sendable {
    /// Some wait for each other, and none of them can go on.
    case deadlock
    /// Locks were taken in orders that contradict; no run has to have deadlocked.
    case lockOrderInversion = "lock order inversion"
    /// A wait that no one left can end.
    case endlessWait = "wait without end"
    /// A task was suspended while it held a lock.
    case lockHeldAcrossAwait = "lock held across an await"
    /// A thread of the cooperative pool waits for what the pool itself may have to bring about.
    case blockedPool = "blocking wait on the cooperative pool"
  }

  /// How sure it is.
  public enum Certainty: Sendable, Hashable {
    /// It is so.
    case confirmed
    /// It is so, unless what the reason says does not hold.
    case suspected(reason: String)
    /// It has not happened, and another schedule might make it happen.
    case potential
  }

  /// Who does, or did, what.
  public struct Member: Sendable {
    /// Who it is.
    public let participant: Participant
    /// What it waits for, or took.
    public let resource: String
    /// Where it waits, or took it.
    public let place: Place
    /// What it holds that the member before waits for, or held when it took the resource, and since where.
    public let holds: (resource: String, place: Place?)?
  }

  /// What was found.
  public let kind: Kind
  /// How sure it is.
  public let certainty: Certainty
  /// Exactly those concerned; in a deadlock each waits for the next, and the last for the first.
  public let members: [Member]
}

/// Who can wait: a thread, a task, or work that has yet to run.
public struct Participant: Sendable, Hashable {
  /// What kind it is.
  public enum Kind: String, Sendable {
    case thread
    case task
    case block
    case operation
  }

  /// What kind it is.
  public let kind: Kind
  /// What it is called, or what it can be known by.
  public let name: String
  /// The thread that it runs on, if it is none itself and runs.
  public let thread: String?
  /// The label of the queue that it runs on, or waits in.
  public let queue: String?
}

/// What a throwing wait throws instead of waiting.
public struct DeadlockError: Error, CustomStringConvertible {
  /// The confirmed deadlock that the wait would have closed, or the wait that could never end.
  public let finding: Finding
  public var description: String { finding.description }
}

// MARK: - Reports

extension Participant: CustomStringConvertible {
  public var description: String {
    // A number is no name that anyone gave.
    let quoted = "\(kind.rawValue) " + (UInt(name) == nil ? "“\(name)”" : name)
    let details = [thread.map { "thread \($0)" }, queue.map { "queue “\($0)”" }].compactMap(\.self)
    return details.isEmpty ? quoted : "\(quoted) (\(details.joined(separator: ", ")))"
  }
}

extension Finding: CustomStringConvertible {
  /// The report: who holds what, who waits for what, and where each was taken.
  public var description: String {
    let head =
      switch certainty {
      case .confirmed: "\(kind.rawValue), confirmed"
      case .suspected: "\(kind.rawValue), suspected"
      case .potential: "\(kind.rawValue), potential"
      }
    var lines = [head]
    if case .suspected(let reason) = certainty { lines.append("  because: \(reason)") }
    for member in members {
      let held = member.holds.map { held in
        "\(held.resource)" + (held.place.map { " (taken at \($0))" } ?? "")
      }
      switch kind {
      case .deadlock:
        let holds = held.map { "  has \($0) and" } ?? " "
        lines.append("  \(member.participant)")
        lines.append("  \(holds) waits for \(member.resource) at \(member.place)")
      case .lockOrderInversion:
        lines.append("  \(member.participant)")
        lines.append("    took \(member.resource) at \(member.place) while it held \(held ?? "")")
      case .endlessWait:
        lines.append(
          "  \(member.participant) waits for \(member.resource) at \(member.place), and no one is left to end that"
        )
      case .lockHeldAcrossAwait:
        lines.append(
          "  \(member.participant) awaits \(member.resource) at \(member.place) with \(held ?? "a lock")"
        )
      case .blockedPool:
        lines.append(
          "  \(member.participant) waits for \(member.resource) at \(member.place); await instead, or move the wait to a thread of its own"
        )
      }
    }
    return lines.joined(separator: "\n")
  }
}
