import Interleaving
import Testing

@testable import ControlledDispatch
@testable import RealPrograms
@testable import TwinPrograms

/// Moments, waits by the day's clock, qualities of service and condition locks, each with the real types and with
/// the stand-ins.
@Suite(unlessSanitized, .timeLimit(.minutes(30))) struct TimeAndLockTests {
  enum Program: String, CaseIterable {
    case moments, wallMoments, intervals, waitsByTheWall, qualities, conditionLocks

    var real: @Sendable () -> [String] {
      switch self {
      case .moments: Real.moments
      case .wallMoments: Real.wallMoments
      case .intervals: Real.intervals
      case .waitsByTheWall: Real.waitsByTheWall
      case .qualities: Real.qualities
      case .conditionLocks: Real.conditionLocks
      }
    }

    var twin: @Sendable () -> [String] {
      switch self {
      case .moments: Twin.moments
      case .wallMoments: Twin.wallMoments
      case .intervals: Twin.intervals
      case .waitsByTheWall: Twin.waitsByTheWall
      case .qualities: Twin.qualities
      case .conditionLocks: Twin.conditionLocks
      }
    }
  }

  @Test(arguments: Program.allCases)
  func `the stand-in says what the real one says`(_ program: Program) async {
    let twin = program.twin
    let exploration = await explore(reduced, time: .passesWhenIdle) { twin() }
    #expect(Set(exploration.outcomes.keys) == [program.real()], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  /// The real one on Linux ends the process where it has to wait.
  @Test func `a condition lock waits for its condition`() async {
    let exploration = await explore(reduced) {
      let lock = ControlledDispatch.NSConditionLock()
      ControlledDispatch.Thread.detachNewThread {
        lock.lock()
        lock.unlock(withCondition: 1)
      }
      lock.lock(whenCondition: 1)
      lock.unlock()
      return lock.condition
    }
    #expect(Set(exploration.outcomes.keys) == [1], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a condition lock is unlocked by its holder`() async {
    await expectTrap("unlocks NSConditionLock, which it does not hold") {
      ControlledDispatch.NSConditionLock(condition: 1).unlock()
    }
  }

  @Test func `producers and consumers take turns by a condition`() async {
    let exploration = await explore(reduced) {
      let (lock, items) = (ControlledDispatch.NSConditionLock(condition: 0), Shared("", "items"))
      strands(
        {
          for item in ["a", "b"] {
            lock.lock(whenCondition: 0)
            items.value += item
            lock.unlock(withCondition: 1)
          }
        },
        {
          for _ in 0..<2 {
            lock.lock(whenCondition: 1)
            items.value += "-"
            lock.unlock(withCondition: 0)
          }
        })
      return items.value
    }
    #expect(Set(exploration.outcomes.keys) == ["a-b-"], "\(exploration)")
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }
}
