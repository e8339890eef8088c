import Foundation

/// What a supervisor does with its children: decided here, and done elsewhere.
///
/// A child that ends is begun again, so many times within a window. SIGHUP replaces all children, which does not count.
/// SIGTERM ends them and then the supervisor. SIGUSR1 reports. A child that is to end is sent SIGTERM, and SIGKILL after
/// a grace period.
struct Supervision: Sendable {
  private enum Phase {
    case supervising
    case ending(SupervisorError?)
    case ended
  }

  private var children: [SupervisedChild]
  private let limit: Int
  private let window: Duration
  private var phase = Phase.supervising
  private var gracePeriods = 0

  /// - Parameters:
  ///   - limit: How often a child that ends is begun again within the window; 0 or more.
  ///   - window: More than zero.
  init(of commands: [Command], restarts limit: Int, within window: Duration) {
    precondition(limit >= 0, "the number of restarts is 0 or more")
    precondition(window > .zero, "the window is longer than zero")
    children = commands.map { SupervisedChild(command: $0) }
    self.limit = limit
    self.window = window
  }

  /// Takes an event.
  ///
  /// - Parameter now: The time since some beginning; it does not go back.
  /// - Returns: What is to be done, in order.
  mutating func take(_ event: Event, at now: Duration) -> [Order] {
    if case .ended = phase { return [] }
    let orders: [Order] =
      switch event {
      case .begin: children.indices.map { spawn($0) }
      case .signal(.hangUp): replaceAll()
      case .signal(.terminate): endAll(with: nil)
      case .signal(.user1): [.report(children.map { $0.report }.joined(separator: "\n"))]
      case .signal: []
      case .began(let place, let id): began(place.index, id)
      case .failed(let place, let error), .ended(let place, .failure(let error)):
        lost(place.index, error)
      case .ended(let place, .success(let status)): ended(place.index, status, at: now)
      case .gracePeriodOver(let period): kill(period)
      }
    guard case .ending(let error) = phase, children.allSatisfy(\.isOver) else { return orders }
    phase = .ended
    return orders + [.end(error)]
  }

  private mutating func spawn(_ index: Int) -> Order {
    children[index].state = .starting(isStale: false)
    return .spawn(Place(index: index), children[index].command)
  }

  private mutating func replaceAll() -> [Order] {
    guard case .supervising = phase else { return [] }
    for index in children.indices where children[index].isStarting {
      // Nothing can be sent yet, so it is replaced when it has begun.
      children[index].state = .starting(isStale: true)
    }
    return stop(children.indices)
  }

  private mutating func endAll(with error: SupervisorError?) -> [Order] {
    guard case .supervising = phase else { return [] }
    phase = .ending(error)
    return stop(children.indices)
  }

  /// Asks those that run to end. What then takes their places depends on the phase.
  private mutating func stop(_ indices: Range<Int>) -> [Order] {
    let period = GracePeriod(number: gracePeriods)
    let places = indices.filter { children[$0].stop(period) }.map { Place(index: $0) }
    guard !places.isEmpty else { return [] }
    gracePeriods += 1
    return places.map { .send(.terminate, to: $0) } + [.beginGracePeriod(period)]
  }

  private mutating func began(_ index: Int, _ id: pid_t) -> [Order] {
    guard case .starting(let isStale) = children[index].state else {
      preconditionFailure("child \(index) began, and was not spawned")
    }
    children[index].state = .running(id)
    if case .supervising = phase, !isStale { return [] }
    return stop(index..<index + 1)
  }

  private mutating func ended(
    _ index: Int, _ status: TerminationStatus, at now: Duration
  ) -> [Order] {
    let child = children[index]
    switch (phase, child.state) {
    case (_, .starting), (_, .over):
      preconditionFailure("child \(index) ended, and had not begun")
    case (.supervising, .stopping):
      return [spawn(index)]
    case (.supervising, .running):
      if children[index].mayRestart(at: now, limit: limit, within: window) { return [spawn(index)] }
      children[index].state = .over
      return endAll(with: .endsTooOften(child.command, status, restarts: limit, within: window))
    case (.ending, _), (.ended, _):
      children[index].state = .over
      return []
    }
  }

  private mutating func lost(_ index: Int, _ error: ProcessError) -> [Order] {
    children[index].state = .over
    return endAll(with: .lost(children[index].command, error))
  }

  private func kill(_ period: GracePeriod) -> [Order] {
    children.indices.filter { children[$0].isStopping(period) }
      .map { .send(.kill, to: Place(index: $0)) }
  }
}
