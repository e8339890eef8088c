/// One step's beginning: what a strand does next to what it shares with others, as one indivisible act.
package struct VisibleOperation: Sendable {
  /// What it does to one object.
  package struct Use: Sendable {
    package let object: ObjectID
    /// The object's state at the beginning of an execution.
    package let initial: ObjectState
    package let action: Action
    /// How it stands to other uses of the object.
    package internal(set) var mode: Access.Mode

    package init(_ action: Action, _ object: ObjectID, initially initial: ObjectState) {
      self.action = action
      mode = action.mode
      self.object = object
      self.initial = initial
    }
  }

  package enum Result: Hashable, Sendable {
    case done
    /// An attempt did not succeed.
    case refused
    case timedOut
  }

  package var uses: [Use]
  /// The events that must have happened; an event, once it has, stays so.
  package var events: [ObjectID]
  /// Whether it gives up when its expiry is due; else it waits for that, too.
  package var givesUp: Bool
  /// Whether nobody need go on before it: it can be done at once, and only makes more possible.
  var isPrompt = false
  /// In how many ways it may go, one of which the search picks.
  var ways = 1
  /// Whether its time comes only when nothing else can go on.
  package var waitsForIdle = false
  /// Whether what it has led to, when it is done, may touch more than it says.
  package var goesOn = false

  package init(
    _ uses: [Use], after events: [ObjectID] = [], givesUp: Bool = false, waitsForIdle: Bool = false
  ) {
    self.uses = uses
    self.events = events
    self.givesUp = givesUp
    self.waitsForIdle = waitsForIdle
  }

  /// What it touches.
  var accesses: [Access] { uses.map { Access($0.mode, $0.object) } }

  /// When an operation can be done.
  enum Readiness: Hashable {
    case now
    /// As soon as time has come so far, in milliseconds, and not before.
    case due(Int)
    /// When another strand has done something.
    case later
  }

  /// When its uses can be made, in the states that `state` tells; its events are not looked at.
  func readiness(in state: (Use) -> ObjectState) -> Readiness {
    var expiry: Int?
    var isDue = true
    var isInTime = true
    for use in uses {
      let isPermitted = state(use).permits(use.action)
      if case .expire(let moment) = use.action {
        expiry = moment
        isDue = isPermitted
      } else if !isPermitted {
        isInTime = false
      }
    }
    if givesUp, isInTime { return .now }
    guard isDue, isInTime || givesUp else { return .later }
    return expiry.map { .due($0) } ?? .now
  }

  /// Makes its uses, or those that belong to giving up.
  func apply(to states: inout [ObjectID: ObjectState]) -> Result {
    let isInTime = uses.allSatisfy {
      givesUp && $0.isExpiry || (states[$0.object] ?? $0.initial).permits($0.action)
    }
    var result: Result = isInTime ? .done : .timedOut
    for use in uses(madeIn: result) {
      var state = states[use.object] ?? use.initial
      if !state.apply(use.action) { result = .refused }
      states[use.object] = state
    }
    return isInTime ? result : .timedOut
  }

  /// The uses that are made if the operation ends so.
  func uses(madeIn result: Result) -> [Use] {
    // Who gives up waiting for a condition is no longer one of those who wait.
    result == .timedOut ? uses.filter { $0.isExpiry || $0.isWaking } : uses
  }
}

extension VisibleOperation.Use {
  fileprivate var isExpiry: Bool { if case .expire = action { true } else { false } }
  fileprivate var isWaking: Bool { if case .wake = action { true } else { false } }
}
