import Dispatch

/// A time that a timer cannot keep.
struct TimingError: Error, Equatable, CustomStringConvertible {
  enum Kind: String { case interval, leeway, delay }

  let kind: Kind
  let value: Duration

  var description: String {
    let least = kind == .interval ? "a nanosecond" : "nothing"
    return "the \(kind) is \(value); a timer takes one from \(least) up to 290 years"
  }
}

extension Duration {
  /// Itself, if a timer can keep it.
  func checked(as kind: TimingError.Kind) throws(TimingError) -> Duration {
    let least: Duration = kind == .interval ? .nanoseconds(1) : .zero
    guard self >= least, self < .seconds(290 * 365 * 86_400) else {
      throw TimingError(kind: kind, value: self)
    }
    return self
  }

  /// The same for Dispatch.
  var interval: DispatchTimeInterval { .nanoseconds(Int(attoseconds / 1_000_000_000)) }
}
