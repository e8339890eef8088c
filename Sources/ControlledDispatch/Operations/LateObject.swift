import Interleaving

/// Something that strands share: one number in each execution, named when its name is known.
final class LateObject: Sendable {
  private let birth: (execution: Control.Execution, number: Int)?

  /// - Parameter outlives: Whether it belongs to no execution, wherever it is made.
  init(outlives: Bool = false) {
    birth = outlives ? nil : Control.current.map { ($0.execution, $0.makeObject()) }
  }

  func number(_ control: Control) -> Int {
    if let birth, birth.execution == control.execution { return birth.number }
    return control.number(of: self)
  }
}

extension Control {
  /// The exploration that the calling thread belongs to; there must be one.
  static func current(for kind: String) -> Control {
    guard let control = Control.current else {
      fatalError(
        "\(kind) was used outside an exploration. This is the stand-in of ControlledDispatch, and it works "
          + "inside `explore { … }` only, on the scenario's own strands. Elsewhere import Foundation "
          + "instead of ControlledDispatch.")
    }
    return control
  }
}
