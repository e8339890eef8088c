/// Which schedules an exploration runs.
public enum Strategy: Hashable, Sendable {
  /// Every schedule.
  case exhaustive
  /// At least one schedule of each class of schedules that differ only in the order of steps that
  /// commute, if the assumption holds; see the manual, *Reduction*.
  case reduced(assuming: Assumption)
  /// Every schedule with at most so many preemptions, 0 or more: Musuvathi and Qadeer, PLDI 2007.
  case preemptionBounded(Int)
  /// Schedules by the throw of dice, as many as the limit says; the same seed, the same schedules.
  case random(seed: UInt64)
  /// Random priorities that change at `depth` − 1 points, `depth` 1 or more: Burckhardt, Kothari,
  /// Musuvathi and Nagarakatte, ASPLOS 2010. As many schedules as the limit says.
  case pct(seed: UInt64, depth: Int)

  /// What the caller vouches for where code is not watched, or schedules are left out.
  public enum Assumption: Hashable, Sendable, CustomStringConvertible {
    /// All state that tasks share is isolated to an actor or is a ``Shared``.
    case actorIsolation
    /// All state that strands share is a ``Shared``, an atomic of ControlledDispatch, or ordered by its
    /// locks, queues and other stand-ins.
    case controlledSharing
    /// The same of the code of these modules, which is not compiled with `-sanitize=thread`; every access of
    /// the other code was seen.
    case unwatchedSharing(modules: [String])
    /// A strand that reads under a lock of many readers and one writer may lock it to read once more while a writer
    /// waits, as on Linux. POSIX leaves that open; where a writer that waits goes first, the two wait for each other.
    case readersFirst(lock: String)

    public var description: String {
      switch self {
      case .actorIsolation: "all state that tasks share is isolated to an actor or is a Shared"
      case .controlledSharing:
        "all state that strands share is a Shared, an atomic, or ordered by locks and queues"
      case .unwatchedSharing(let modules):
        "what \(modules.joined(separator: " and ")), compiled without -sanitize=thread, shares is a Shared, an "
          + "atomic, or ordered by locks and queues"
      case .readersFirst(let lock):
        "who has locked a \(lock) to read may do so once more while a writer waits, as on Linux"
      }
    }
  }

  /// Whether schedules that come to the same are left out.
  var isReduced: Bool { if case .reduced = self { true } else { false } }

  package func makeSearch() -> any Search {
    switch self {
    case .exhaustive: ExhaustiveSearch()
    case .reduced: OptimalSearch()
    case .preemptionBounded(let bound): BoundedSearch(bound: bound)
    case .random(let seed): RandomSearch(seed: seed)
    case .pct(let seed, let depth): PCTSearch(seed: seed, depth: depth)
    }
  }
}
