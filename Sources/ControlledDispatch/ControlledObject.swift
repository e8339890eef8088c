import Interleaving

/// That by which an exploration knows something: its own in each execution.
final class ObjectIdentity: Sendable {
  private let birth: (execution: ExecutionID, object: ObjectID)?
  private let known: ObjectID?

  /// - Parameters:
  ///   - outlives: Whether it belongs to no execution, wherever it is made.
  ///   - known: What the explorer knows it by, if it uses that itself.
  init(outlives: Bool = false, as known: ObjectID? = nil) {
    birth = outlives ? nil : Control.current.map { ($0.execution, $0.makeObject()) }
    self.known = known
  }

  /// Whether it was made in the execution under way.
  func isOwn(_ control: Control) -> Bool { birth?.execution == control.execution }

  func callAsFunction(_ control: Control) -> ObjectID {
    isOwn(control) ? birth!.object : known ?? control.object(self)
  }
}

/// Something that strands share and an exploration controls: one state in each execution.
///
/// It may be made inside a scenario or outside, such as in a `static let`; in every execution it begins
/// anew.
final class ControlledObject: Sendable {
  let kind: String
  /// What it is and where it was made, or what it is called: what counts objects that are alike.
  private let names: (kind: String, label: String?)
  private let initial: ObjectState
  private let identity: ObjectIdentity

  /// - Parameters:
  ///   - kind: What it is, as its users spell it.
  ///   - label: What it is called, if it was given a name.
  ///   - maker: The type whose property it is, or the function that has made it, as `#function` gives them.
  ///   - initial: Its state at the beginning of an execution.
  ///   - outlives: Whether it belongs to no execution, wherever it is made.
  ///   - known: What the explorer knows it by, if it uses that itself.
  init(
    _ kind: String, label: String? = nil, madeIn maker: String? = nil,
    _ initial: ObjectState = .variable, outlives: Bool = false, as known: ObjectID? = nil
  ) {
    identity = ObjectIdentity(outlives: outlives, as: known)
    self.kind = kind
    names = (kind + (maker.map(Self.origin) ?? ""), label)
    self.initial = initial
    // Of a kind, objects are counted as they are made.
    if !outlives, let control = Control.current {
      control.name(identity(control), kind: names.kind, label: names.label)
    }
  }

  /// As in: of Purse. As in: in withdraw.
  private static func origin(_ maker: String) -> String {
    let name = maker.prefix { $0 != "(" }
    // Names in backquotes are sentences.
    if name == "init" || name.contains(" ") { return "" }
    return name.count < maker.count ? " in \(name)" : " of \(name)"
  }

  /// The exploration that the calling thread belongs to; there must be one.
  var control: Control { Control.current(for: kind) }

  /// The object in the execution under way.
  var id: ObjectID {
    let control = control
    let id = identity(control)
    if !identity.isOwn(control) { control.name(id, kind: names.kind, label: names.label) }
    return id
  }

  /// What it is called in a report.
  var name: String { control.name(of: id) }

  /// Says what its user calls it from now on in the execution under way.
  func rename(_ label: String?) {
    guard let label, let control = Control.current else { return }
    control.rename(id, "\(kind) \(label)")
  }

  /// A use of the object, as part of an operation.
  func use(_ action: Action) -> VisibleOperation.Use {
    .init(action, id, initially: initial)
  }

  /// Does one thing to the object, when it can be done and the calling strand's turn has come.
  @discardableResult
  func perform(_ action: Action, _ verb: @autoclosure () -> String) -> VisibleOperation.Result {
    control.perform(VisibleOperation([use(action)]), "\(verb()) \(name)")
  }
}

extension Control {
  /// The exploration that the calling thread belongs to; there must be one.
  ///
  /// - Parameter kind: What asks for it, as its users spell it.
  static func current(for kind: String) -> Control {
    guard let control = Control.current else {
      fatalError(
        "\(kind) was used outside an exploration. This is the stand-in of ControlledDispatch, and it works "
          + "inside `explore { … }` only, on the scenario's own strands. Elsewhere import Dispatch, "
          + "Foundation or Synchronization instead of ControlledDispatch.")
    }
    return control
  }
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
