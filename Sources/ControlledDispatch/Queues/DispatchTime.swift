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
    // What is too far away never comes, or is long past.
    let milliseconds = (seconds * 1000).rounded(.up)
    return advanced(by: Int(exactly: milliseconds) ?? (milliseconds < 0 ? .min : nil))
  }

  public static func - (time: Self, interval: DispatchTimeInterval) -> Self {
    time.earlier(by: interval)
  }

  public func earlier(by interval: DispatchTimeInterval) -> Self {
    // As with real Dispatch, what is never before is long past.
    advanced(by: interval.milliseconds.map { $0 == .min ? .max : -$0 } ?? .min)
  }

  public static func - (time: Self, seconds: Double) -> Self { time.earlier(by: seconds) }

  public func earlier(by seconds: Double) -> Self { advanced(by: -seconds) }

  private func advanced(by interval: Int?) -> Self {
    guard self != .distantFuture, let interval else { return .distantFuture }
    let (sum, isTooFar) = milliseconds.addingReportingOverflow(interval)
    return isTooFar
      ? (interval < 0 ? Self(milliseconds: .min) : .distantFuture) : Self(milliseconds: sum)
  }

  /// How long it is from this moment to another; never if one of the two never comes.
  public func distance(to other: Self) -> DispatchTimeInterval {
    guard self != .distantFuture, other != .distantFuture else { return .never }
    let (distance, isTooFar) = other.milliseconds.subtractingReportingOverflow(milliseconds)
    return isTooFar ? .never : .milliseconds(distance)
  }

  // MARK: Nanoseconds

  /// A moment, by how long the system has run.
  ///
  /// - Parameter uptimeNanoseconds: For how long, rounded up to a millisecond; the most never comes.
  public init(uptimeNanoseconds: UInt64) {
    let (milliseconds, rest) = uptimeNanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.milliseconds =
      uptimeNanoseconds == .max
      ? .max
      : Int(milliseconds) + (rest > 0 ? 1 : 0)
        - Control.current(for: "DispatchTime").beginning.uptime
  }

  /// How long the system has run then, in nanoseconds; 1 for what is before it began.
  public var uptimeNanoseconds: UInt64 {
    guard self != .distantFuture else { return .max }
    let beginning = Control.current(for: "DispatchTime").beginning.uptime
    let (uptime, isTooFar) = milliseconds.addingReportingOverflow(beginning)
    guard uptime > 0 || isTooFar else { return 1 }
    let (nanoseconds, overflow) = UInt64(uptime.magnitude).multipliedReportingOverflow(
      by: 1_000_000)
    return overflow || isTooFar ? .max - 1 : nanoseconds
  }
}

/// The stand-in for Dispatch's intervals; what is finer than a millisecond is rounded up.
public enum DispatchTimeInterval: Equatable, Sendable {
  case seconds(Int)
  case milliseconds(Int)
  case microseconds(Int)
  case nanoseconds(Int)
  case never

  /// Intervals are equal if they are of the same length.
  public static func == (first: Self, second: Self) -> Bool {
    first.nanoseconds == second.nanoseconds
  }

  private var nanoseconds: Int128? {
    switch self {
    case .seconds(let count): Int128(count) * 1_000_000_000
    case .milliseconds(let count): Int128(count) * 1_000_000
    case .microseconds(let count): Int128(count) * 1000
    case .nanoseconds(let count): Int128(count)
    case .never: nil
    }
  }

  var milliseconds: Int? {
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
