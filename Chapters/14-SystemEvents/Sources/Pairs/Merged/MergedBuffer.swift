/// One slot in which values merge until the consumer asks: what to do is decided here, and done elsewhere.
struct MergedBuffer<Value: Sendable> {
  enum Action {
    case nothing
    /// The consumer, whether it waits already or asks now, gets a value, or the end.
    case deliver(Value?)
  }

  private enum State {
    case open(Value?)
    /// The consumer waits, so nothing else does.
    case awaited
    /// No value is taken any more; one may still have to be delivered.
    case finished(Value?)
  }

  private let rule: MergingRule<Value>
  private var state = State.open(nil)

  init(rule: MergingRule<Value>) { self.rule = rule }

  mutating func send(_ value: Value) -> Action {
    switch state {
    case .open(let waiting):
      state = .open(rule.merge(waiting, value))
      return .nothing
    case .awaited:
      guard let merged = rule.merge(nil, value) else { return .nothing }
      state = .open(nil)
      return .deliver(merged)
    case .finished:
      return .nothing
    }
  }

  /// The consumer asks. It waits if there is nothing to do.
  mutating func next() -> Action {
    switch state {
    case .open(let value?):
      state = .open(nil)
      return .deliver(value)
    case .open(nil):
      state = .awaited
      return .nothing
    case .awaited:
      preconditionFailure("two tasks wait for one merged sequence; give each a sequence of its own")
    case .finished(let value):
      state = .finished(nil)
      return .deliver(value)
    }
  }

  /// The sender has no more. What waits is still delivered.
  mutating func finish() -> Action {
    switch state {
    case .open(let waiting):
      state = .finished(waiting)
      return .nothing
    case .awaited:
      state = .finished(nil)
      return .deliver(nil)
    case .finished:
      return .nothing
    }
  }

  /// The consumer wants no more. What waits is dropped.
  mutating func cancel() -> Action {
    defer { state = .finished(nil) }
    guard case .awaited = state else { return .nothing }
    return .deliver(nil)
  }
}
