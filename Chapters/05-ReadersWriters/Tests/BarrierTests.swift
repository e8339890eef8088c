import Dispatch
import Testing
import Workbook

/// What a barrier keeps out, on which queue. A is stopped inside of its barrier, and B wants to read.
@Suite(.timeLimit(.minutes(30))) struct BarrierTests {
  enum Queue: String, CaseIterable, Sendable {
    case serial, concurrent, global

    func make() -> DispatchQueue {
      switch self {
      case .serial: DispatchQueue(label: "com.example.serial")
      case .concurrent: DispatchQueue(label: "com.example.concurrent", attributes: .concurrent)
      case .global: .global()
      }
    }
  }

  /// With and without a barrier, so that it can be told what the barrier adds.
  enum Write: String, CaseIterable, Sendable {
    case async, asyncBarrier, sync, syncBarrier

    var isBarrier: Bool { self == .asyncBarrier || self == .syncBarrier }
  }

  @Test(arguments: Queue.allCases, Write.allCases)
  func `a barrier keeps readers out on one's own concurrent queue`(
    _ kind: Queue, _ write: Write
  ) async {
    let queue = kind.make()
    let keepsOut = kind == .serial || kind == .concurrent && write.isBarrier
    let interruption = await interrupt(isUnguarded: !keepsOut) { pause in
      switch write {
      case .sync: queue.sync { pause() }
      case .syncBarrier: queue.sync(flags: .barrier) { pause() }
      case .async, .asyncBarrier:
        let isDone = DispatchSemaphore(value: 0)
        queue.async(flags: write.isBarrier ? .barrier : []) {
          pause()
          isDone.signal()
        }
        wait(for: isDone)
      }
    } by: {
      queue.sync {}
    }
    #expect(interruption == (keepsOut ? .waits : .comesIn))
  }

  /// B writes while A reads: what the barrier waits for, and who waits with it.
  @Test(arguments: Queue.allCases)
  func `a sync barrier waits for the readers before it, on one's own queues`(
    _ kind: Queue
  ) async {
    let queue = kind.make()
    let interruption = await interrupt(isUnguarded: kind == .global) { pause in
      queue.sync { pause() }
    } by: {
      queue.sync(flags: .barrier) {}
    }
    #expect(interruption == (kind == .global ? .comesIn : .waits))
  }

  @Test(arguments: Queue.allCases)
  func `an async barrier lets its caller go on`(_ kind: Queue) async {
    let queue = kind.make()
    let interruption = await interrupt(isUnguarded: true) { pause in
      queue.sync { pause() }
    } by: {
      queue.async(flags: .barrier) {}
    }
    #expect(interruption == .comesIn)
  }

  @Test(arguments: [Queue.serial, .concurrent])
  func `the sender of an async barrier reads its own write`(_ kind: Queue) {
    let queue = kind.make()
    for number in 1...100 {
      let (box, value) = (Box(), number)
      queue.async(flags: .barrier) { box.value = value }
      #expect(queue.sync { box.value } == value)
    }
  }

  @Test func `on a global queue the sender's read overtakes its write`() {
    let (box, mayWrite, isWritten) = (
      Box(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)
    )
    DispatchQueue.global().async(flags: .barrier) {
      mayWrite.wait()
      box.value = 1
      isWritten.signal()
    }
    #expect(DispatchQueue.global().sync { box.value } == 0)
    mayWrite.signal()
    isWritten.wait()
    #expect(box.value == 1)
  }
}

/// In a function of its own, since a semaphore does not wait in async code.
private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

// Sendable because a queue or a semaphore orders each use.
private final class Box: @unchecked Sendable {
  var value = 0
}
