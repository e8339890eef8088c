import Interleaving

import struct Foundation.Date

/// The stand-in for Dispatch's moments: virtual time, in steps of a millisecond.
public struct DispatchTime: Comparable, Sendable {
  let milliseconds: Int

  /// The moment of virtual time.
  public static func now() -> DispatchTime {
    let control = Control.current(for: "DispatchTime")
    control.readClock()
    return DispatchTime(milliseconds: control.now)
  }

  public static let distantFuture = DispatchTime(milliseconds: .max)

  init(milliseconds: Int) { self.milliseconds = milliseconds }

  /// A date; what is a century away never comes.
  init(_ date: Date, _ control: Control) {
    let moment = control.moment(at: date.timeIntervalSince1970)
    milliseconds = moment > 100 * 366 * 86_400_000 ? .max : moment
  }

  public static func < (first: Self, second: Self) -> Bool {
    first.milliseconds < second.milliseconds
  }

  public static func + (time: Self, interval: DispatchTimeInterval) -> Self {
    time.advanced(by: interval)
  }

  public func advanced(by interval: DispatchTimeInterval) -> Self {
    advanced(by: interval.milliseconds)
  }

  public static func + (time: Self, seconds: Double) -> Self {
    time.advanced(by: seconds)
  }

  public func advanced(by seconds: Double) -> Self {
    // What is too far away never comes.
    advanced(by: Int(exactly: (seconds * 1000).rounded(.up)))
  }

  private func advanced(by interval: Int?) -> Self {
    guard self != .distantFuture, let interval else { return .distantFuture }
    let (sum, isTooFar) = milliseconds.addingReportingOverflow(interval)
    return isTooFar ? .distantFuture : Self(milliseconds: sum)
  }
}

/// The stand-in for Dispatch's intervals; what is finer than a millisecond is rounded up.
public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never

  fileprivate var milliseconds: Int? {
    switch self {
    case .seconds(let count):
      count.magnitude > UInt(Int.max) / 1000 ? (count < 0 ? 0 : nil) : count * 1000
    case .milliseconds(let count): count
    case .microseconds(let count): count / 1000 + (count % 1000 > 0 ? 1 : 0)
    case .nanoseconds(let count): count / 1_000_000 + (count % 1_000_000 > 0 ? 1 : 0)
    case .never: nil
    }
  }
}

/// How a wait with a time limit ended.
public enum DispatchTimeoutResult: Hashable, Sendable {
  case success
  case timedOut
}

extension Control {
  /// Makes uses of objects as soon as they can be made, or gives up at a moment of virtual time.
  func perform(
    _ uses: [VisibleOperation.Use], before timeout: DispatchTime,
    _ note: @autoclosure () -> String
  ) -> DispatchTimeoutResult {
    guard timeout != .distantFuture else {
      perform(VisibleOperation(uses), note())
      return .success
    }
    let expiry = arm(timeout)
    let isLate = perform(VisibleOperation(uses + [expiry], givesUp: true)) == .timedOut
    self.note(isLate ? "gives up: its time is over" : note())
    return isLate ? .timedOut : .success
  }

  /// Waits for a moment of virtual time.
  func sleep(until time: DispatchTime, _ note: @autoclosure () -> String) {
    perform(VisibleOperation([arm(time)]), note())
  }

  /// Lets a strand wait for a moment of virtual time.
  func arm(_ time: DispatchTime) -> VisibleOperation.Use { arm(time.milliseconds) }
}
