import ControlledDispatch
import Interleaving
import Testing

import struct Foundation.Date

/// Waits with a time limit, each as the real one ends: it is given in time, or it is not.
@Suite struct TimedWaitTests {
  enum Wait: CaseIterable { case lock, recursiveLock, condition, semaphore, group, workItem }

  @Test(arguments: Wait.allCases, [true, false])
  func `a wait with a time limit takes no time and ends as a real one does`(
    _ wait: Wait, _ isGivenInTime: Bool
  ) async {
    let exploration = await explore(
      .reduced(assuming: .controlledSharing), time: .passesWhenIdle
    ) {
      Self.wait(wait, for: 60, givenAfter: isGivenInTime ? 30 : 90)
    }
    #expect(Set(exploration.outcomes.keys) == [isGivenInTime], "\(exploration)")
    #expect(exploration.failures.isEmpty, "\(exploration)")
    #expect(exploration.isComplete)
  }

  @Test func `a distance is what was added`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let (time, wall) = (DispatchTime.now(), DispatchWallTime.now())
      return [
        time.distance(to: time + .seconds(3)) == .seconds(3),
        (time + 3).distance(to: time) == .seconds(-3),
        time.distance(to: .distantFuture) == .never,
        wall.distance(to: wall + 0.5) == .milliseconds(500),
      ]
    }
    #expect(Set(exploration.outcomes.keys) == [[true, true, true, true]])
  }

  @Test func `a sleep until a date takes as long`() async {
    let exploration = await explore(.reduced(assuming: .controlledSharing)) {
      let began = Date()
      Thread.sleep(until: began.addingTimeInterval(3600))
      return Int(Date().timeIntervalSince(began).rounded())
    }
    #expect(Set(exploration.outcomes.keys) == [3600], "\(exploration)")
  }

  private static func wait(_ wait: Wait, for limit: Double, givenAfter delay: Double) -> Bool {
    let isHeld = DispatchSemaphore(value: 0)
    func hold(_ pass: @escaping @Sendable (_ isHeld: () -> Void) -> Void) {
      Thread.detachNewThread { pass { isHeld.signal() } }
      isHeld.wait()
    }
    let end = Date(timeIntervalSinceNow: limit)
    switch wait {
    case .lock:
      let lock = NSLock()
      hold { isHeld in
        lock.withLock {
          isHeld()
          Thread.sleep(forTimeInterval: delay)
        }
      }
      return lock.lock(before: end)
    case .recursiveLock:
      let lock = NSRecursiveLock()
      hold { isHeld in
        lock.withLock {
          isHeld()
          Thread.sleep(forTimeInterval: delay)
        }
      }
      guard lock.lock(before: end) else { return false }
      return lock.lock(before: end)
    case .condition:
      let condition = NSCondition()
      hold { isHeld in
        isHeld()
        Thread.sleep(forTimeInterval: delay)
        condition.withLock { condition.signal() }
      }
      return condition.withLock { condition.wait(until: end) }
    case .semaphore:
      let semaphore = DispatchSemaphore(value: 0)
      hold { isHeld in
        isHeld()
        Thread.sleep(forTimeInterval: delay)
        semaphore.signal()
      }
      return semaphore.wait(timeout: .now() + limit) == .success
    case .group:
      let group = DispatchGroup()
      group.enter()
      hold { isHeld in
        isHeld()
        Thread.sleep(forTimeInterval: delay)
        group.leave()
      }
      return group.wait(timeout: .now() + limit) == .success
    case .workItem:
      let item = DispatchWorkItem { Thread.sleep(forTimeInterval: delay) }
      DispatchQueue.global().async(execute: item)
      return item.wait(timeout: .now() + limit) == .success
    }
  }
}
