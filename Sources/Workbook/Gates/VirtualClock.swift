/// A clock whose time passes when you say so: an hour of sleep takes no time at all.
///
/// ```swift
/// let clock = VirtualClock()
/// let tea = Task { try await clock.sleep(for: .seconds(180)) }
/// await clock.waitForSleepers(1)       // the task sleeps
/// clock.advance(by: .seconds(180))     // three minutes pass
/// try await tea.value
/// ```
public final class VirtualClock: Clock {
  /// A point in virtual time.
  public struct Instant: InstantProtocol {
    let sinceStart: Duration

    public func advanced(by duration: Duration) -> Instant {
      Instant(sinceStart: sinceStart + duration)
    }

    public func duration(to other: Instant) -> Duration { other.sinceStart - sinceStart }

    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.sinceStart < rhs.sinceStart }
  }

  private struct Sleeper {
    let id: Int
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(sinceStart: .zero)
    var nextID = 0
    var cancelled: Set<Int> = []
    var sleepers: [Sleeper] = []
    var audience: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    mutating func takeAudience() -> [CheckedContinuation<Void, Never>] {
      let ready = audience.filter { $0.count <= sleepers.count }
      audience.removeAll { $0.count <= sleepers.count }
      return ready.map(\.continuation)
    }
  }

  private let state = Locked(State())

  /// Creates a clock at time zero.
  public init() {}

  public var now: Instant { state.withLock(\.now) }
  public var minimumResolution: Duration { .zero }

  /// Sleeps until the clock has been advanced to a deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let sleeper = Sleeper(id: id, deadline: deadline, continuation: continuation)
        let (result, audience) = state.withLock { state in register(sleeper, in: &state) }
        if let result { continuation.resume(with: result) }
        for continuation in audience { continuation.resume() }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return Sleeper?.none
        }
        return state.sleepers.remove(at: index)
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Lets time pass, and wakes those whose deadline it reaches, earliest first.
  ///
  /// - Parameter duration: How much; zero or more.
  public func advance(by duration: Duration) {
    let woken = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let woken = state.sleepers.filter { $0.deadline <= state.now }
      state.sleepers.removeAll { $0.deadline <= state.now }
      return woken.sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
    for sleeper in woken { sleeper.continuation.resume() }
  }

  /// Waits until at least so many tasks sleep on this clock.
  ///
  /// - Parameter count: How many; one or more.
  public func waitForSleepers(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let audience = state.withLock { state in
        state.audience.append((count, continuation))
        return state.takeAudience()
      }
      for continuation in audience { continuation.resume() }
    }
  }

  /// Adds a sleeper, or says with what it ends at once.
  private func register(
    _ sleeper: Sleeper, in state: inout State
  ) -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) {
    if state.cancelled.remove(sleeper.id) != nil { return (.failure(CancellationError()), []) }
    if sleeper.deadline <= state.now { return (.success(()), []) }
    state.sleepers.append(sleeper)
    return (nil, state.takeAudience())
  }
}
