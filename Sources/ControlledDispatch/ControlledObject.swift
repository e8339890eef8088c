import Interleaving

/// Something that strands share and an exploration controls: one state in each execution.
///
/// It may be made inside a scenario or outside, such as in a `static let`; in every execution it begins
/// anew.
final class ControlledObject: Sendable {
  let kind: String
  let label: String?
  private let initial: ObjectState
  private let birth: Birth?

  /// - Parameters:
  ///   - kind: What it is, as its users spell it.
  ///   - label: What it is called, if it was given a name.
  ///   - initial: Its state at the beginning of an execution.
  init(_ kind: String, label: String? = nil, _ initial: ObjectState = .variable) {
    self.kind = kind
    self.label = label
    self.initial = initial
    birth = Control.current.map { Birth(execution: $0.execution, number: $0.makeObject()) }
    // Of a kind, objects are counted as they are made.
    if let birth { Control.current?.name(birth.number, kind: kind, label: label) }
  }

  /// The exploration that the calling thread belongs to; there must be one.
  var control: Control {
    guard let control = Control.current else {
      fatalError(
        "\(kind) was used outside an exploration. This is the stand-in of ControlledDispatch, and it works "
          + "inside `explore { … }` only, on the scenario's own strands. Elsewhere import Dispatch, "
          + "Foundation or Synchronization instead of ControlledDispatch.")
    }
    return control
  }

  /// The number of the object in the execution under way.
  var number: Int {
    let control = control
    let number =
      birth.flatMap { $0.execution == control.execution ? $0.number : nil }
      ?? control.number(of: self)
    control.name(number, kind: kind, label: label)
    return number
  }

  /// What it is called in a report.
  var name: String { control.name(of: number) }

  /// A use of the object, as part of an operation.
  func use(_ action: Action) -> VisibleOperation.Use {
    .init(action, number, initially: initial)
  }

  /// Does one thing to the object, when it can be done and the calling strand's turn has come.
  @discardableResult
  func perform(_ action: Action, _ verb: @autoclosure () -> String) -> VisibleOperation.Result {
    control.perform(VisibleOperation([use(action)]), "\(verb()) \(name)")
  }
}

/// When and as what an object was made.
private struct Birth: Sendable {
  let execution: Control.Execution
  let number: Int
}

/// State that each execution begins anew.
///
/// What queues, groups and items keep besides what the exploration knows. The exploration keeps it, so that
/// two that run at the same time share nothing.
final class PerExecution<State>: Sendable {
  private let make: @Sendable () -> State

  init(_ make: @escaping @Sendable () -> State) { self.make = make }

  func callAsFunction(_ control: Control) -> State { control.attachment(of: self, make) }
}
