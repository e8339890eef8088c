import Interleaving

/// Begins strands beside each other and waits until all have ended.
///
/// The way to explore what threads do to each other without a word on where the threads come from. In a
/// report they are called A, B, C and so on.
///
/// - Parameter bodies: What each strand does, one or more.
public func strands(_ bodies: (@Sendable () -> Void)...) {
  strands(bodies)
}

/// Begins strands beside each other and waits until all have ended.
///
/// - Parameter bodies: What each strand does, one or more.
public func strands(_ bodies: [@Sendable () -> Void]) {
  let control = Control.current(for: "strands")
  let ends = bodies.enumerated().map { index, body in
    let letter = index < 26 ? String(UnicodeScalar(UInt8(65 + index))) : "strand \(index + 1)"
    return control.begin(letter, body).end
  }
  control.perform(VisibleOperation([], after: ends))
}
