import Foundation

/// Watches locks, queues and other things to wait for, and finds those who wait for each other.
///
/// ```swift
/// let accounts = WatchedLock("accounts")
/// let audit = WatchedLock("audit")
/// // Thread 1: accounts, then audit. Thread 2: audit, then accounts.
/// // Whichever would block last prints, before it does:
/// //   deadlock, confirmed
/// //     thread “auditor”
/// //       has lock “audit” (taken at Bank.swift:31) and waits for lock “accounts” at Bank.swift:32
/// //     thread “payer”
/// //       has lock “accounts” (taken at Bank.swift:21) and waits for lock “audit” at Bank.swift:22
/// ```
///
/// What shares a detector is watched together; ``shared`` is the default everywhere.
public final class DeadlockDetector: Sendable {
  /// What a plain call does after a confirmed deadlock, or a wait that no one can end, has been handled.
  public enum Response: Sendable {
    /// Waits, as it would have without a detector.
    case goOn
    /// Ends the process with the report.
    case trap
  }

  /// What is called with each finding, on the thread that made it, without a lock of the detector.
  ///
  /// What it does itself is not watched: it had better not wait for what the thread holds.
  public typealias Handler = @Sendable (Finding) -> Response

  /// The detector that is used where no other is named; it prints.
  public static let shared = DeadlockDetector()

  /// Prints the report to standard error, and goes on.
  public static let printing: Handler = { finding in
    FileHandle.standardError.write(Data("\(finding)\n".utf8))
    return .goOn
  }

  let patience: Duration
  private let guarded: Guarded<State>

  /// - Parameters:
  ///   - patience: How long what is suspected has to stand before it is reported; zero reports it at once.
  ///   - handler: What is called with each finding.
  public init(patience: Duration = .seconds(1), handler: @escaping Handler = printing) {
    self.patience = patience
    guarded = Guarded(State(handler: handler))
  }

  /// Uses what the detector knows, under its lock.
  func state<R>(_ body: (inout State) throws -> R) rethrows -> R {
    let (result, released) = try guarded { state in
      let result = try body(&state)
      guard !state.released.isEmpty else { return (result, []) }
      defer { state.released = [] }
      return (result, state.released)
    }
    // Its end may take the lock.
    withExtendedLifetime(released) {}
    return result
  }

  /// Has another handler called from now on.
  public func handle(with handler: @escaping Handler) {
    // The old one goes without the lock, which what it has captured may take at its end.
    let old = state { state in
      defer { state.handler = handler }
      return state.handler
    }
    withExtendedLifetime(old) {}
  }

  /// How many lock orders are kept, and how often a limit kept one from being noted or searched, or a lock from
  /// having a class.
  public var orders: (kept: Int, omitted: Int) {
    state { ($0.order.count, $0.order.omissions + $0.omittedClasses) }
  }

  /// How many waits are drawn at present, those of blocks in their queues and of operations among them.
  public var waitCount: Int { state { Set($0.waiters.values.map(\.number)).count } }

  /// Hands a finding to the handler, unless it is the handler's own.
  ///
  /// - Parameter refuses: Whether it is thrown, too, so that there is nothing to trap for.
  func deliver(_ finding: Finding, refuses: Bool = false) {
    let record = ThreadRecord.at(ThreadRecord.key)
    if record.pointee.handler != 0 { return }
    record.pointee.handler = Resource.nextNumber()
    defer { record.pointee.handler = 0 }
    let response = state { $0.handler }(finding)
    let isEnd = finding.kind == .deadlock || finding.kind == .endlessWait
    if case .trap = response, isEnd, finding.certainty == .confirmed, !refuses {
      fatalError("\(finding)")
    }
  }
}

/// A wait that has been drawn.
struct Wait: Sendable {
  let number: UInt
  /// Who cannot go on meanwhile.
  let parties: [Party]
}

/// Who waits, beside what the graph knows of it.
struct Waiter {
  /// Who it is. Called under the detector's lock, while it waits.
  let participant: () -> Participant
  let place: Place
  /// The wait's own number, the same for all parties that it blocks.
  let number: UInt
  /// Whether it is a member of a finding.
  var isReported = false
  /// Whether what is suspected of it will be looked at later.
  var isPutOff = false
}

extension DeadlockDetector {
  struct State {
    var handler: Handler
    var graph = WaitForGraph<Party, Resource>()
    var waiters: [Party: Waiter] = [:]
    /// What nobody waits for any more, to be let go of without the lock.
    var released: [Resource] = []
    var order = LockOrder()
    var classes: [String: UInt] = [:]
    /// How many classes are told apart.
    let classLimit = 10_000
    var omittedClasses = 0
    /// Of locks that the order knows.
    var names: [UInt: String] = [:]
    var reportedPlaces: [Finding.Kind: Set<Place>] = [:]
  }
}
