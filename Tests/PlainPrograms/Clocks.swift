import Foundation
import Synchronization

#if canImport(Glibc)
  import Glibc
#endif

/// What reads clocks and waits for them.
public enum Clocks {
  /// The values after which no other has come for a time.
  public static func debounce<C: Clock>(
    _ values: AsyncStream<Int>, for interval: C.Duration, clock: C
  ) async -> [Int] {
    let latest = Latest<C.Instant>()
    await withTaskGroup(of: Void.self) { group in
      for await value in values {
        let due = clock.now.advanced(by: interval)
        latest.set(value, due)
        group.addTask {
          try? await clock.sleep(until: due, tolerance: nil)
          latest.emit(at: clock.now)
        }
      }
    }
    return latest.emitted
  }

  private final class Latest<Instant: InstantProtocol>: Sendable {
    private let state = Mutex<(value: (Int, due: Instant)?, emitted: [Int])>((nil, []))

    var emitted: [Int] { state.withLock(\.emitted) }

    func set(_ value: Int, _ due: Instant) { state.withLock { $0.value = (value, due) } }

    func emit(at now: Instant) {
      state.withLock { state in
        guard let (next, due) = state.value, due <= now else { return }
        state.value = nil
        state.emitted.append(next)
      }
    }
  }

  /// The first value, and then one for each interval at most.
  public static func throttle<C: Clock>(
    _ values: AsyncStream<Int>, for interval: C.Duration, clock: C
  ) async -> [Int] {
    var emitted: [Int] = []
    var last: C.Instant?
    for await value in values {
      let now = clock.now
      if let last, now < last.advanced(by: interval) { continue }
      emitted.append(value)
      last = now
    }
    return emitted
  }

  /// Values, each with a pause behind it.
  public static func values<C: Clock<Duration>>(
    _ values: [(Int, Duration)], clock: C
  ) -> AsyncStream<Int> {
    AsyncStream { continuation in
      let task = Task {
        for (value, pause) in values {
          continuation.yield(value)
          try? await clock.sleep(for: pause)
        }
        continuation.finish()
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  /// Puts the calling thread to sleep for good.
  public static func sleepForEver() { Thread.sleep(until: .distantFuture) }

  /// How somebody waits for a clock to come somewhere.
  public enum Poll: CaseIterable, Sendable { case sleep, yield, spin }

  /// Looks at a clock until an hour has passed.
  ///
  /// - Returns: Whether it has, and no two.
  public static func poll<C: Clock<Duration>>(_ poll: Poll, clock: C) async -> Bool {
    let start = clock.now
    let end = start.advanced(by: .seconds(3600))
    while clock.now < end {
      switch poll {
      case .sleep: try? await clock.sleep(for: .seconds(60))
      case .yield: await Task.yield()
      case .spin: break
      }
    }
    return start.duration(to: clock.now) < .seconds(7200)
  }

  /// How much time all clocks say that it takes to sleep for 1.5 s, in milliseconds.
  public static func readings() async throws -> [String: Int] {
    func milliseconds(_ duration: Duration) -> Int { Int(duration / .milliseconds(1)) }
    func now(_ clock: clockid_t) -> Double {
      var time = timespec()
      clock_gettime(clock, &time)
      return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }
    func timeOfDay() -> Double {
      var time = timeval()
      gettimeofday(&time, nil)
      return Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000
    }
    let continuous = ContinuousClock.now
    let suspending = SuspendingClock.now
    let (date, uptime) = (Date(), ProcessInfo.processInfo.systemUptime)
    let (real, monotonic, day) = (now(CLOCK_REALTIME), now(CLOCK_MONOTONIC), timeOfDay())
    try await Task.sleep(for: .seconds(1.5))
    return [
      "ContinuousClock": milliseconds(ContinuousClock.now - continuous),
      "SuspendingClock": milliseconds(SuspendingClock.now - suspending),
      "Date": Int((Date().timeIntervalSince(date) * 1000).rounded()),
      "systemUptime": Int(((ProcessInfo.processInfo.systemUptime - uptime) * 1000).rounded()),
      "CLOCK_REALTIME": Int((now(CLOCK_REALTIME) - real).rounded()),
      "CLOCK_MONOTONIC": Int((now(CLOCK_MONOTONIC) - monotonic).rounded()),
      "gettimeofday": Int((timeOfDay() - day).rounded()),
    ]
  }
}

/// Something that is waited for, for a time: nobody gives it, or somebody does in time.
public enum TimedWait: CaseIterable, Sendable {
  case lock, recursiveLock, condition, conditionLock, conditionLockWhen, mutex, readersWriter,
    writer
  case sleep, usleep, nanosleep, posixSleep

  /// Waits for so long, while it is held by a task for so long.
  ///
  /// - Returns: Whether it came in time; true for what only sleeps.
  public func run(for limit: Double, givenAfter delay: Double) async -> Bool {
    let resource = Resource()
    let isHeld = AsyncStream.makeStream(of: Void.self)
    async let isGiven: Void = give(resource, after: delay, isHeld.continuation)
    for await _ in isHeld.stream { break }
    let isInTime = resource.wait(self, for: limit)
    await isGiven
    return isInTime
  }

  private func give(
    _ resource: Resource, after delay: Double, _ isHeld: AsyncStream<Void>.Continuation
  ) async {
    resource.hold(self) {
      isHeld.finish()
      Thread.sleep(forTimeInterval: delay)
    }
  }

  /// The same with threads, and real time: it is given at once, or when it has been waited for.
  public func run(for limit: Double, isGiven: Bool) async -> Bool {
    let resource = Resource()
    let (isHeld, hasWaited) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    Thread.detachNewThread {
      resource.hold(self) {
        isHeld.signal()
        if !isGiven { hasWaited.wait() }
      }
    }
    return await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        isHeld.wait()
        let isInTime = resource.wait(self, for: limit)
        hasWaited.signal()
        continuation.resume(returning: isInTime)
      }
    }
  }

  private final class Resource: @unchecked Sendable {
    // Sendable: locks.
    let lock = NSLock()
    let recursiveLock = NSRecursiveLock()
    let condition = NSCondition()
    var isGiven = false
    let conditionLock = NSConditionLock(condition: 0)
    let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    let shared = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)

    init() {
      pthread_mutex_init(mutex, nil)
      pthread_rwlock_init(shared, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      pthread_rwlock_destroy(shared)
      mutex.deallocate()
      shared.deallocate()
    }

    /// Holds what is waited for until something has been done.
    func hold(_ wait: TimedWait, _ pass: () -> Void) {
      switch wait {
      case .lock: lock.withLock(pass)
      case .recursiveLock: recursiveLock.withLock(pass)
      case .mutex:
        pthread_mutex_lock(mutex)
        pass()
        pthread_mutex_unlock(mutex)
      case .readersWriter, .writer:
        pthread_rwlock_wrlock(shared)
        pass()
        pthread_rwlock_unlock(shared)
      case .conditionLock:
        conditionLock.lock()
        pass()
        conditionLock.unlock()
      case .conditionLockWhen:
        pass()
        conditionLock.lock()
        conditionLock.unlock(withCondition: 1)
      case .condition:
        pass()
        condition.withLock {
          isGiven = true
          condition.signal()
        }
      case .sleep, .usleep, .nanosleep, .posixSleep: pass()
      }
    }

    func wait(_ wait: TimedWait, for limit: Double) -> Bool {
      let end = Date(timeIntervalSinceNow: limit)
      var moment = timespec()
      clock_gettime(CLOCK_REALTIME, &moment)
      let nanoseconds = moment.tv_nsec + Int(limit * 1e9)
      moment = timespec(
        tv_sec: moment.tv_sec + nanoseconds / 1_000_000_000, tv_nsec: nanoseconds % 1_000_000_000)
      switch wait {
      case .lock:
        guard lock.lock(before: end) else { return false }
        lock.unlock()
      case .recursiveLock:
        guard recursiveLock.lock(before: end) else { return false }
        recursiveLock.unlock()
      case .condition:
        return condition.withLock {
          while !isGiven { if !condition.wait(until: end) { return isGiven } }
          return true
        }
      case .conditionLock:
        guard conditionLock.lock(before: end) else { return false }
        conditionLock.unlock()
      case .conditionLockWhen:
        guard conditionLock.lock(whenCondition: 1, before: end) else { return false }
        conditionLock.unlock()
      case .mutex:
        guard pthread_mutex_timedlock(mutex, &moment) == 0 else { return false }
        pthread_mutex_unlock(mutex)
      case .readersWriter:
        guard pthread_rwlock_timedrdlock(shared, &moment) == 0 else { return false }
        pthread_rwlock_unlock(shared)
      case .writer:
        guard pthread_rwlock_timedwrlock(shared, &moment) == 0 else { return false }
        pthread_rwlock_unlock(shared)
      case .sleep: Thread.sleep(until: end)
      case .usleep: Glibc.usleep(UInt32(limit * 1e6))
      case .nanosleep:
        var time = timespec(tv_sec: 0, tv_nsec: Int(limit * 1e9))
        Glibc.nanosleep(&time, nil)
      case .posixSleep: Glibc.sleep(UInt32(limit.rounded(.up)))
      }
      return true
    }
  }
}
