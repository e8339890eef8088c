import Interleaving

#if canImport(Glibc)
  import struct Glibc.timespec
#elseif canImport(Darwin)
  import struct Darwin.timespec
#endif

/// The stand-in for Dispatch's moments of the day's clock: virtual time, in steps of a millisecond.
public struct DispatchWallTime: Comparable, Sendable {
  /// Since 1970.
  private let time: DispatchTime

  private init(_ time: DispatchTime) { self.time = time }

  /// A moment of the day's clock; what is finer than a millisecond is rounded up.
  ///
  /// - Parameter timespec: The time since 1970.
  public init(timespec: timespec) {
    time =
      DispatchTime(milliseconds: 0)
      .advanced(by: .seconds(timespec.tv_sec)).advanced(by: .nanoseconds(timespec.tv_nsec))
  }

  /// The moment of virtual time.
  public static func now() -> DispatchWallTime {
    let control = Control.current(for: "DispatchWallTime")
    control.readClock()
    return DispatchWallTime(DispatchTime(milliseconds: control.beginning.wall + control.now))
  }

  public static let distantFuture = DispatchWallTime(.distantFuture)

  public static func < (first: Self, second: Self) -> Bool { first.time < second.time }

  public static func + (time: Self, interval: DispatchTimeInterval) -> Self {
    Self(time.time + interval)
  }

  public static func + (time: Self, seconds: Double) -> Self { Self(time.time + seconds) }

  public static func - (time: Self, interval: DispatchTimeInterval) -> Self {
    Self(time.time - interval)
  }

  public static func - (time: Self, seconds: Double) -> Self { Self(time.time - seconds) }

  public func advanced(by interval: DispatchTimeInterval) -> Self { self + interval }

  public func advanced(by seconds: Double) -> Self { self + seconds }

  public func earlier(by interval: DispatchTimeInterval) -> Self { self - interval }

  public func earlier(by seconds: Double) -> Self { self - seconds }

  /// How long it is from this moment to another; never if one of the two never comes.
  public func distance(to other: Self) -> DispatchTimeInterval { time.distance(to: other.time) }

  /// The same moment of virtual time.
  var moment: DispatchTime {
    guard time != .distantFuture else { return .distantFuture }
    let beginning = Control.current(for: "DispatchWallTime").beginning.wall
    return time - .milliseconds(beginning)
  }
}

extension DispatchGroup {
  /// Waits until the group is empty, or until a moment of virtual time.
  public func wait(wallTimeout timeout: DispatchWallTime) -> DispatchTimeoutResult {
    wait(timeout: timeout.moment)
  }
}

extension DispatchSemaphore {
  /// Waits until it can take one, or until a moment of virtual time.
  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    wait(timeout: wallTimeout.moment)
  }
}

extension DispatchWorkItem {
  /// Waits until the item has run, or until a moment of virtual time; once it has run, nobody may wait again.
  public func wait(wallTimeout: DispatchWallTime) -> DispatchTimeoutResult {
    wait(timeout: wallTimeout.moment)
  }
}

extension DispatchQueue {
  /// Submits a block at a moment of virtual time.
  public func asyncAfter(
    wallDeadline: DispatchWallTime, qos: DispatchQoS = .unspecified,
    flags: DispatchWorkItemFlags = [], execute work: @escaping @Sendable () -> Void
  ) {
    asyncAfter(deadline: wallDeadline.moment, qos: qos, flags: flags, execute: work)
  }

  /// Submits a work item at a moment of virtual time.
  public func asyncAfter(wallDeadline: DispatchWallTime, execute workItem: DispatchWorkItem) {
    asyncAfter(deadline: wallDeadline.moment, execute: workItem)
  }
}
