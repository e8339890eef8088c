import Dispatch
import Foundation

extension Programs {
  static func moments() -> [String] {
    let time = DispatchTime(uptimeNanoseconds: 5_000_000_000)
    let sums = [
      time, time + 1.5, time - 1.5, time + .seconds(2), time - .milliseconds(2), time - 100,
      time - .infinity, time - .never, .distantFuture,
    ]
    let isNever = [time + .never, .distantFuture - 1, .distantFuture + 1, time + .infinity]
    let (now, later) = (DispatchTime.now(), DispatchTime.now() + 3600)
    let hour = Double(later.uptimeNanoseconds - now.uptimeNanoseconds) / 3_600_000_000_000
    return sums.map { "\($0.uptimeNanoseconds)" } + isNever.map { "\($0 == .distantFuture)" } + [
      "\(time < time + 1) \(time > time - 1) \(now < .distantFuture) \(hour.rounded())",
      "\(DispatchTime(uptimeNanoseconds: now.uptimeNanoseconds) <= now)",
    ]
  }

  static func wallMoments() -> [String] {
    let time = DispatchWallTime(timespec: timespec(tv_sec: 1000, tv_nsec: 5_000_000))
    let (now, same) = (
      DispatchWallTime.now(), DispatchWallTime(timespec: timespec(tv_sec: 1000, tv_nsec: 5_000_000))
    )
    return [
      time == same, time < time + 1, time - 1.0 < time, time - .seconds(1) == time - 1.0,
      time + .seconds(3) == time + 3.0, time < now, now < now + .milliseconds(1),
      now < .distantFuture, .distantFuture + 1.0 == DispatchWallTime.distantFuture,
      time + .never == .distantFuture, time - .never == .distantFuture,
    ].map { "\($0)" }
  }

  static func intervals() -> [String] {
    let pairs: [(DispatchTimeInterval, DispatchTimeInterval)] = [
      (.seconds(1), .milliseconds(1000)), (.milliseconds(1), .microseconds(1000)),
      (.microseconds(1), .nanoseconds(1000)), (.never, .never), (.seconds(1), .never),
      (.milliseconds(3), .milliseconds(4)),
    ]
    return pairs.map { "\($0 == $1)" }
  }

  static func waitsByTheWall() -> [String] {
    let (semaphore, group) = (DispatchSemaphore(value: 0), DispatchGroup())
    var results = [
      semaphore.wait(wallTimeout: .now() + 0.005), semaphore.wait(wallTimeout: .now() - 1),
    ]
    semaphore.signal()
    results.append(semaphore.wait(wallTimeout: .now() - 1))
    group.enter()
    results.append(group.wait(wallTimeout: .now() + .milliseconds(5)))
    group.leave()
    results.append(group.wait(wallTimeout: .now()))
    let item = DispatchWorkItem {}
    results.append(item.wait(wallTimeout: .now() + 0.005))
    DispatchQueue.global().asyncAfter(wallDeadline: .now() + 0.002, execute: item)
    results.append(item.wait(wallTimeout: .distantFuture))
    for moment in [.now() + .milliseconds(2), .now() - 5.0] as [DispatchWallTime] {
      DispatchQueue.global().asyncAfter(wallDeadline: moment) { semaphore.signal() }
      semaphore.wait()
    }
    return results.map { $0 == .success ? "success" : "timed out" }
  }

  static func qualities() -> [String] {
    let queue = DispatchQueue(label: "q", qos: .utility, autoreleaseFrequency: .workItem)
    return [
      queue, DispatchQueue(label: "r"), .main, .global(), .global(qos: .background),
      DispatchQueue(label: "s", qos: .userInitiated, target: queue),
      DispatchQueue(label: "t", autoreleaseFrequency: .never, target: queue),
    ].map { "\($0.qos.qosClass) \($0.qos.relativePriority)" }
  }

  static func conditionLocks() -> [String] {
    let lock = NSConditionLock()
    var results = ["\(lock.condition)", "\(lock.try()) \(lock.try())"]
    lock.unlock(withCondition: 3)
    results.append("\(lock.condition)")
    results.append("\(lock.tryLock(whenCondition: 2)) \(lock.tryLock(whenCondition: 3))")
    results.append("\(lock.lock(before: Date(timeIntervalSinceNow: 0.005)))")
    lock.unlock()
    lock.lock(whenCondition: 3)
    lock.unlock(withCondition: 4)
    lock.lock()
    lock.unlock()
    results.append(
      "\(lock.lock(whenCondition: 3, before: Date(timeIntervalSinceNow: 0.005))) \(lock.condition)")
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      _ = lock.lock(whenCondition: 4, before: Date(timeIntervalSinceNow: 60))
      lock.unlock(withCondition: 5)
      done.signal()
    }
    results.append("\(lock.lock(whenCondition: 5, before: Date(timeIntervalSinceNow: 60)))")
    lock.unlock()
    done.wait()
    return results + ["\(lock.condition)"]
  }
}
