import ControlledDispatch
import Interleaving
import Testing

/// What queues, groups and work items promise, in every schedule.
@Suite(.timeLimit(.minutes(30))) struct QueueTests {
  @Test func `a serial queue keeps the order, one at a time`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "album")
      let names = Shared("", "names")
      queue.async { names.value += "a" }
      queue.async { names.value += "b" }
      return queue.sync { names.value }
    }
    #expect(Set(exploration.outcomes.keys) == ["ab"])
    #expect(exploration.schedules == 1)
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a concurrent queue keeps none, and what it runs races`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "album", attributes: .concurrent)
      let count = Shared(0, "count")
      let group = DispatchGroup()
      for _ in 0..<2 { queue.async(group: group) { count.value += 1 } }
      group.wait()
      return count.value
    }
    #expect(Set(exploration.outcomes.keys) == [1, 2])
    #expect(exploration.failures.allSatisfy { $0.kind == .race } && !exploration.failures.isEmpty)
    #expect(exploration.isComplete)
  }

  @Test func `a barrier is alone on its queue, and on a global queue it is none`() async {
    @Sendable func outcome(on queue: DispatchQueue) -> Int {
      let count = Shared(0, "count")
      let group = DispatchGroup()
      for _ in 0..<2 { queue.async(group: group, flags: .barrier) { count.value += 1 } }
      group.wait()
      return count.value
    }
    let own = await explore(reduced) {
      outcome(on: DispatchQueue(label: "album", attributes: .concurrent))
    }
    #expect(Set(own.outcomes.keys) == [2])
    #expect(own.failures.isEmpty && own.isComplete, "\(own)")
    let global = await explore(reduced) { outcome(on: .global()) }
    #expect(Set(global.outcomes.keys) == [1, 2])
  }

  @Test func `readers run beside each other, writers alone`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "photos", attributes: .concurrent)
      let photos = Shared(0, "photos")
      strands(
        { queue.sync { _ = photos.value } }, { queue.sync { _ = photos.value } },
        { queue.async(flags: .barrier) { photos.value += 1 } })
      return queue.sync { photos.value }
    }
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    // The barrier comes before, between or after two readings that commute: 4 subsets before it.
    #expect(exploration.schedules == 4)
  }

  @Test func `items of queues with one serial target run one at a time`() async {
    let exploration = await explore(reduced) {
      let target = DispatchQueue(label: "target")
      let count = Shared(0, "count")
      let queues = ["a", "b"].map { DispatchQueue(label: $0, target: target) }
      strands(queues.map { queue in { queue.sync { count.value += 1 } } })
      return count.value
    }
    #expect(Set(exploration.outcomes.keys) == [2])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a work item runs unless it is cancelled first`() async {
    let exploration = await explore(reduced) {
      let hasRun = Atomics(false)
      let item = DispatchWorkItem { hasRun.value.store(true, ordering: .relaxed) }
      DispatchQueue.global().async(execute: item)
      item.cancel()
      item.wait()
      return hasRun.value.load(ordering: .relaxed)
    }
    #expect(Set(exploration.outcomes.keys) == [true, false])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a group notifies when its last member has left`() async {
    let exploration = await explore(reduced) {
      let group = DispatchGroup()
      let count = Atomics(false)
      let done = DispatchSemaphore(value: 0)
      DispatchQueue.global().async(group: group) { count.value.store(true, ordering: .relaxed) }
      let seen = Atomics(false)
      group.notify(queue: .main) {
        seen.value.store(count.value.load(ordering: .relaxed), ordering: .relaxed)
        done.signal()
      }
      done.wait()
      return seen.value.load(ordering: .relaxed)
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a waiter is not kept by who enters later`() async {
    let exploration = await explore(reduced) {
      let group = DispatchGroup()
      group.enter()
      strands(
        { group.wait() },
        {
          group.leave()
          group.enter()
        })
    }
    // Whoever waits before the leave goes on; who comes after the second enter waits for ever.
    #expect(Set(exploration.failures.map(\.kind)) == [.deadlock])
    #expect(exploration.outcomes.count == 1)
    #expect(exploration.isComplete)
  }

  @Test func `time is virtual, and timeouts are explored`() async {
    let scenario: @Sendable () -> [DispatchTimeoutResult] = {
      let semaphore = DispatchSemaphore(value: 0)
      DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(3600)) { semaphore.signal() }
      let early = semaphore.wait(timeout: .now() + .seconds(60))
      let late = semaphore.wait(timeout: .now() + .seconds(7200))
      return [early, late]
    }
    let punctual = await explore(reduced, time: .passesWhenIdle, scenario: scenario)
    #expect(Set(punctual.outcomes.keys) == [[.timedOut, .success]])
    #expect(punctual.failures.isEmpty && punctual.isComplete)
    // Where steps may take any time, the signal may also come before the first wait, or too late.
    let slow = await explore(reduced, scenario: scenario)
    #expect(
      Set(slow.outcomes.keys)
        == [[.timedOut, .success], [.success, .timedOut], [.timedOut, .timedOut]])
    #expect(slow.completeness == .complete(assuming: [.controlledSharing]))
  }

  @Test func `a suspended queue begins nothing`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "album", attributes: .initiallyInactive)
      let names = Shared("", "names")
      queue.async { names.value += "a" }
      names.value += "-"
      queue.activate()
      return queue.sync { names.value }
    }
    #expect(Set(exploration.outcomes.keys) == ["-a"])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `specifics are found through targets`() async {
    let exploration = await explore(reduced) {
      let key = DispatchSpecificKey<String>()
      let target = DispatchQueue(label: "target")
      target.setSpecific(key: key, value: "found")
      let queue = DispatchQueue(label: "album", target: target)
      return queue.sync { DispatchQueue.getSpecific(key: key) ?? "lost" }
    }
    #expect(Set(exploration.outcomes.keys) == ["found"])
  }

  @Test func `an item that two strands keep from beginning, each for a reason of its own`() async {
    let exploration = await explore(reduced) {
      WorkerPool.limit(to: 1)
      let queue = DispatchQueue(label: "c", attributes: .concurrent)
      let (first, second) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let order = Shared("", "order")
      let lock = NSLock()
      @Sendable func note(_ letter: String) { lock.withLock { order.value += letter } }
      strands(
        {
          queue.suspend()
          first.signal()
          second.wait()
          note("A")
          queue.resume()
        },
        {
          DispatchQueue.global().async {
            first.wait()
            note("B")
            second.signal()
          }
        }, { queue.async { note("C") } })
    }
    #expect(exploration.schedules == 2)
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a use beside a strand by the scenario itself is a race`() async {
    let exploration = await explore(reduced) {
      let value = Shared(0)
      let group = DispatchGroup()
      DispatchQueue.global().async(group: group) { value.value = 1 }
      let seen = value.value
      group.wait()
      return seen
    }
    #expect(Set(exploration.outcomes.keys) == [0, 1])
    #expect(exploration.failures.map(\.kind) == [.race])
  }

  @Test func `waiting for an item gives up in time`() async {
    let exploration = await explore(reduced) {
      let item = DispatchWorkItem {}
      let never = item.wait(timeout: .now() + .seconds(1))
      let later = DispatchSemaphore(value: 0).wait(timeout: .now() + .seconds(1))
      return [never, later]
    }
    #expect(Set(exploration.outcomes.keys) == [[.timedOut, .timedOut]])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `who gives up waiting for a group does not find it empty`() async {
    let isRight = { @Sendable (result: DispatchTimeoutResult) in result == .success }
    let exploration = await explore(reduced, allowing: isRight) {
      let group = DispatchGroup()
      group.enter()
      return group.wait(timeout: .now() + .seconds(1))
    }
    let trace = exploration.failures.first?.description ?? ""
    #expect(trace.contains("gives up: its time is over") && !trace.contains("empty"))
  }

  @Test func `what is delayed or notified takes a worker, too`() async {
    for isDelayed in [true, false] {
      let exploration = await explore(reduced) {
        WorkerPool.limit(to: 1)
        let (semaphore, group) = (DispatchSemaphore(value: 0), DispatchGroup())
        group.enter()
        DispatchQueue.global().async {
          group.leave()
          semaphore.wait()
        }
        if isDelayed {
          DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(1)) { semaphore.signal() }
        } else {
          group.notify(queue: .global()) { semaphore.signal() }
        }
      }
      // Whoever has the worker first: if it is the one who waits, nobody signals.
      #expect(Set(exploration.failures.map(\.kind)) == [.leak], "\(exploration)")
    }
  }

  @Test func `a precondition looks at all queues that the caller is on`() async {
    let exploration = await explore(reduced) {
      let (outer, inner) = (DispatchQueue(label: "outer"), DispatchQueue(label: "inner"))
      outer.sync { inner.sync { dispatchPrecondition(condition: .onQueue(outer)) } }
      outer.sync { inner.sync { dispatchPrecondition(condition: .notOnQueue(outer)) } }
    }
    #expect(
      exploration.failures.map(\.message)
        == ["scenario: runs on queue outer, on which it should not"])
  }

  @Test func `a group that is empty submits what it notifies at once`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "names")
      let names = Shared("", "names")
      DispatchGroup().notify(queue: queue) { names.value += "a" }
      queue.async { names.value += "b" }
      return queue.sync { names.value }
    }
    #expect(Set(exploration.outcomes.keys) == ["ab"])
  }

  @Test func `what is too far away never comes`() async {
    let exploration = await explore(reduced) {
      let far: [DispatchTime] = [.now() + .infinity, .now() + .seconds(.max), .now() + .never]
      return far.allSatisfy { $0 == .distantFuture }
    }
    #expect(Set(exploration.outcomes.keys) == [true])
  }

  @Test func `what is due later is submitted later`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "names")
      let names = Shared("", "names")
      let done = DispatchGroup()
      let now = DispatchTime.now()
      @Sendable func note(_ name: String) {
        names.value += name
        done.leave()
      }
      for _ in 0..<4 { done.enter() }
      queue.asyncAfter(deadline: now) { note("a") }
      queue.async { note("b") }
      queue.asyncAfter(deadline: now + .milliseconds(1)) { note("c") }
      queue.asyncAfter(deadline: now + .milliseconds(2)) { note("d") }
      done.wait()
      return names.value
    }
    #expect(Set(exploration.outcomes.keys) == ["abcd"])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: [true, false])
  func `a block is released before its end is told`(isInGroup: Bool) async {
    let exploration = await explore(reduced) {
      let isFreed = Atomics(false)
      let group = DispatchGroup()
      let queue = DispatchQueue(label: "names")
      var probe: Probe? = Probe { isFreed.value.store(true, ordering: .relaxed) }
      queue.async(group: isInGroup ? group : nil) { [probe] in _ = probe }
      probe = nil
      isInGroup ? group.wait() : queue.sync {}
      return isFreed.value.load(ordering: .relaxed)
    }
    #expect(Set(exploration.outcomes.keys) == [true])
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `what an execution kept may block when it is released`() async {
    let exploration = await explore(reduced) {
      let lock = NSLock()
      let queue = DispatchQueue(label: "names")
      queue.setSpecific(
        key: DispatchSpecificKey<Probe>(),
        value: Probe {
          lock.withLock {}
          DispatchQueue.global().async {}
        })
      strands({ queue.sync {} }, { queue.sync {} })
    }
    #expect(exploration.schedules == 2)
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test func `a hierarchy of statics`() async {
    enum App {
      static let target = DispatchQueue(label: "target")
      static let first = DispatchQueue(label: "first", target: target)
      static let second = DispatchQueue(label: "second", target: target)
    }
    for _ in 0..<2 {
      let exploration = await explore(reduced) {
        let count = Shared(0, "count")
        strands({ App.first.sync { count.value += 1 } }, { App.second.sync { count.value += 1 } })
        return count.value
      }
      #expect(Set(exploration.outcomes.keys) == [2])
      #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    }
  }

  @Test func `what one exploration has made is not taken for another's`() async {
    enum App { static let lock = NSLock() }
    // A later one may have the address of the first.
    for count in 0..<20 {
      let exploration = await explore(reduced) {
        let own = count == 0 ? App.lock : NSLock()
        own.withLock { if count > 0 { App.lock.withLock {} } }
      }
      #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    }
  }

  @Test(arguments: [reduced, .exhaustive])
  func `a static that configures itself`(_ strategy: Strategy) async {
    enum App {
      static let key = DispatchSpecificKey<Int>()
      static let queue = make()
      static let other = make()
      static func make() -> DispatchQueue {
        let queue = DispatchQueue(label: "app")
        queue.setSpecific(key: key, value: 1)
        return queue
      }
    }
    let exploration = await explore(strategy, patience: .seconds(2)) {
      let queue = strategy == .exhaustive ? App.other : App.queue
      strands({ queue.sync {} }, { queue.sync {} })
    }
    // What it does only once cannot be explored; it must not hang on its way to being told.
    #expect(!exploration.failures.contains { $0.kind == .blocked }, "\(exploration)")
  }

  @Test func `the pool has a least width that works`() async throws {
    let scenario: @Sendable () -> Bool = {
      let semaphore = DispatchSemaphore(value: 0)
      let group = DispatchGroup()
      // One waits, and the other lets it go on.
      DispatchQueue.global().async(group: group) { semaphore.wait() }
      DispatchQueue.global().async(group: group) { semaphore.signal() }
      group.wait()
      return true
    }
    let narrow = await explore(reduced) {
      WorkerPool.limit(to: 1)
      return scenario()
    }
    let deadlock = try #require(narrow.failures.first)
    #expect(deadlock.kind == .deadlock)
    #expect(deadlock.message.contains("waits for one of 1 worker"), "\(deadlock.message)")
    let least = try #require(await WorkerPool.leastWidth(of: scenario))
    #expect(least.width == 2)
    #expect(least.exploration.isComplete)
  }

  @Test(arguments: [true, false], [Strategy.exhaustive, reduced])
  func `with one worker items begin in the order of submission, with two in any`(
    _ isGlobal: Bool, _ strategy: Strategy
  ) async {
    for width in 1...2 {
      let exploration = await explore(strategy) {
        WorkerPool.limit(to: width)
        let queue =
          isGlobal ? DispatchQueue.global() : DispatchQueue(label: "c", attributes: .concurrent)
        let text = Mutex("")
        let group = DispatchGroup()
        for word in ["a", "b"] {
          queue.async(group: group) { text.withLock { $0 += word } }
        }
        group.wait()
        return text.withLock { $0 }
      }
      #expect(Set(exploration.outcomes.keys) == (width == 1 ? ["ab"] : ["ab", "ba"]))
      #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
    }
  }
}

/// Says when it is released.
private final class Probe: Sendable {
  private let isReleased: @Sendable () -> Void
  init(_ isReleased: @escaping @Sendable () -> Void) { self.isReleased = isReleased }
  deinit { isReleased() }
}
