import Foundation
import Synchronization
import Testing
import Workbook

/// Where ordinary code is stopped, by what it does.
/// One at a time: which of the stops is looked at first depends on which are set.
@Suite(.serialized, .enabled(if: isLinux, "the linker's --wrap is Linux's")) struct StopTests {
  // Sendable because one thread at a time uses it.
  final class Purses: @unchecked Sendable {
    var first = 100
    var second = 0
    private let transfers = Atomic(0)

    func transfer(_ amount: Int) {
      first -= amount
      transfers.add(1, ordering: .relaxed)
      second += amount
    }

    var count: Int { transfers.load(ordering: .relaxed) }
  }

  /// What a stop saw, if there was one.
  private func seen(at stop: Stop) -> String? {
    let purses = Purses()
    let seen = Mutex<String?>(nil)
    stop.around(purses) {
      elsewhere {
        let text = "\(purses.first), \(purses.count), \(purses.second)"
        seen.withLock { $0 = text }
      }
    } while: {
      purses.transfer(30)
    }
    return seen.withLock(\.self)
  }

  @Test func `a change is stopped before it begins, and counted once`() {
    #expect(seen(at: .change(1)) == "100, 0, 0")
    #expect(seen(at: .change(2)) == "70, 1, 0")
    #expect(seen(at: .change(3)) == nil)
  }

  @Test func `a store is stopped between reading and writing`() {
    #expect(seen(at: .store(1)) == "100, 0, 0")
    #expect(seen(at: .store(2)) == "70, 1, 0")
    #expect(seen(at: .store(3)) == nil)
  }

  @Test func `an atomic is stopped before each of its operations`() {
    // It must not overflow, so it is loaded and then exchanged.
    #expect(seen(at: .atomic(1)) == "70, 0, 0")
    #expect(seen(at: .atomic(2)) == "70, 0, 0")
    #expect(seen(at: .atomic(3)) == nil)
  }

  @Test func `what others do elsewhere does not count`() {
    let (purses, others) = (Purses(), Purses())
    let stops = Mutex(0)
    Stop.use(1).around(purses) {
      stops.withLock { $0 += 1 }
    } while: {
      others.transfer(30)
    }
    #expect(stops.withLock(\.self) == 0)
  }

  @Test func `a stop that is set while another is held does not count the same change`() async {
    let purses = Purses()
    let stops = Mutex(0)
    let (mayBegin, isSet, isOver) = (
      DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    let other = Task.detached {
      await blocking {
        mayBegin.wait()
        Stop.change(1).around(purses) {
          stops.withLock { $0 += 1 }
        } while: {
          isSet.signal()
          isOver.wait()
        }
      }
    }
    // At its last change: there is none after it.
    Stop.change(2).around(purses) {
      mayBegin.signal()
      isSet.wait()
    } while: {
      purses.transfer(1)
    }
    isOver.signal()
    await other.value
    #expect(stops.withLock(\.self) == 0)
  }

  @Test func `whoever makes the change is stopped, on whatever thread`() async {
    let purses = Purses()
    let stops = Mutex(0)
    await Stop.change(1).around(purses) {
      stops.withLock { $0 += 1 }
    } while: {
      await blocking { purses.transfer(1) }
    }
    #expect(stops.withLock(\.self) == 1)
  }
}

/// Runs code on a thread of its own, and waits for it: the one that is stopped is in the middle of an access.
private func elsewhere(_ body: @escaping @Sendable () -> Void) {
  let done = DispatchSemaphore(value: 0)
  Thread.detachNewThread {
    body()
    done.signal()
  }
  done.wait()
}

#if os(Linux)
  private let isLinux = true
#else
  private let isLinux = false
#endif
