/// Which calls a source needs, so that suspensions are balanced and it can be released at any time.
struct TickerState {
  /// What the source is told.
  enum Order: Equatable { case activate, suspend, resume, cancel }

  private enum State { case inactive, running, paused, stopped }

  private var state = State.inactive

  mutating func start() -> [Order] { move(from: .inactive, to: .running, by: .activate) }
  mutating func pause() -> [Order] { move(from: .running, to: .paused, by: .suspend) }
  mutating func resume() -> [Order] { move(from: .paused, to: .running, by: .resume) }

  /// A source that is inactive or suspended must not be released, and its cancel handler does not come.
  mutating func stop() -> [Order] {
    defer { state = .stopped }
    switch state {
    case .inactive: return [.cancel, .activate]
    case .running: return [.cancel]
    case .paused: return [.cancel, .resume]
    case .stopped: return []
    }
  }

  private mutating func move(from old: State, to new: State, by order: Order) -> [Order] {
    guard state == old else { return [] }
    state = new
    return [order]
  }
}
