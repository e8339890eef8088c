import ControlledDispatch
import Interleaving
import Testing

/// What traps or hangs with real Dispatch on Linux is a named failure, and its cure is clean.
@Suite(.timeLimit(.minutes(30))) struct TrapTests {
  private func expect(
    _ kind: Failure.Kind, _ message: String, sourceLocation: SourceLocation = #_sourceLocation,
    _ scenario: @escaping @Sendable () -> Void, cured: @escaping @Sendable () -> Void
  ) async {
    for strategy in [Strategy.exhaustive, reduced] {
      let exploration = await explore(strategy, scenario: scenario)
      #expect(
        exploration.failures.map(\.message) == [message], "\(strategy) \(exploration)",
        sourceLocation: sourceLocation)
      #expect(exploration.failures.map(\.kind) == [kind], sourceLocation: sourceLocation)
      #expect(exploration.isComplete, sourceLocation: sourceLocation)
      let cure = await explore(strategy, scenario: cured)
      #expect(
        cure.failures.isEmpty && cure.isComplete, "\(strategy) \(cure)",
        sourceLocation: sourceLocation)
    }
  }

  @Test func `sync on the own queue`() async {
    await expect(
      .trap,
      "scenario: calls sync on queue a, on which it runs: it would wait for itself"
    ) {
      let queue = DispatchQueue(label: "a")
      queue.sync { queue.sync {} }
    } cured: {
      let queue = DispatchQueue(label: "a")
      queue.sync { queue.async {} }
    }
  }

  @Test func `sync inside a barrier of one's own`() async {
    await expect(
      .trap, "a 1: calls sync on queue a, on which it runs: it would wait for itself"
    ) {
      let queue = DispatchQueue(label: "a", attributes: .concurrent)
      queue.async(flags: .barrier) { queue.sync {} }
    } cured: {
      let queue = DispatchQueue(label: "a", attributes: .concurrent)
      queue.async(flags: .barrier) { queue.async {} }
    }
  }

  @Test func `main from main`() async {
    await expect(
      .trap, "main 1: calls sync on queue main, on which it runs: it would wait for itself"
    ) {
      DispatchQueue.main.async { DispatchQueue.main.sync {} }
    } cured: {
      DispatchQueue.main.async { DispatchQueue.main.async {} }
    }
  }

  @Test func `sync across a shared target`() async {
    await expect(
      .trap,
      "scenario: calls sync on queue b, whose target queue t it holds: it would wait for itself"
    ) {
      let target = DispatchQueue(label: "t")
      let queues = ["a", "b"].map { DispatchQueue(label: $0, target: target) }
      queues[0].sync { queues[1].sync {} }
    } cured: {
      let queues = ["a", "b"].map { DispatchQueue(label: $0) }
      queues[0].sync { queues[1].sync {} }
    }
  }

  @Test func `resumed too often`() async {
    await expect(.trap, "scenario: resumes queue a, which is not suspended") {
      DispatchQueue(label: "a").resume()
    } cured: {
      let queue = DispatchQueue(label: "a")
      queue.suspend()
      queue.resume()
    }
  }

  @Test func `released while suspended`() async {
    await expect(
      .trap,
      "scenario: releases queue a, which is suspended: Dispatch wants it resumed first"
    ) {
      DispatchQueue(label: "a").suspend()
    } cured: {
      let queue = DispatchQueue(label: "a")
      queue.suspend()
      queue.resume()
    }
  }

  @Test func `released while inactive`() async {
    await expect(
      .trap,
      "scenario: releases queue a, which is inactive: Dispatch wants it activated first"
    ) {
      _ = DispatchQueue(label: "a", attributes: .initiallyInactive)
    } cured: {
      DispatchQueue(label: "a", attributes: .initiallyInactive).activate()
    }
  }

  @Test func `an inactive queue is activated, not resumed`() async {
    await expect(
      .trap,
      "scenario: resumes queue a, which is not suspended; what was made inactive wants activate()"
    ) {
      DispatchQueue(label: "a", attributes: .initiallyInactive).resume()
    } cured: {
      let queue = DispatchQueue(label: "a", attributes: .initiallyInactive)
      queue.suspend()
      queue.resume()
      queue.activate()
      queue.activate()
      queue.sync {}
    }
  }

  @Test func `a target that is set beside the activation`() async {
    let exploration = await explore(reduced) {
      let queue = DispatchQueue(label: "a", attributes: .initiallyInactive)
      let target = DispatchQueue(label: "t")
      strands({ queue.setTarget(queue: target) }, { queue.activate() })
    }
    #expect(exploration.schedules == 2)
    #expect(
      exploration.failures.map(\.message) == [
        "A: sets the target of queue a, which is active: Dispatch permits it only before activate()"
      ])
  }

  @Test func `a queue that would be its own target`() async {
    await expect(.trap, "scenario: makes queue b a target of itself") {
      let (a, b) = (
        DispatchQueue(label: "a", attributes: .initiallyInactive),
        DispatchQueue(label: "b", attributes: .initiallyInactive)
      )
      a.setTarget(queue: b)
      b.setTarget(queue: a)
    } cured: {
      let queue = DispatchQueue(label: "a", attributes: .initiallyInactive)
      queue.setTarget(queue: DispatchQueue(label: "b"))
      queue.activate()
      queue.sync {}
    }
  }

  @Test func `a work item is waited for once`() async {
    await expect(
      .trap,
      "scenario: waits for DispatchWorkItem, for which another wait has been: Dispatch permits one"
    ) {
      let item = DispatchWorkItem {}
      item.perform()
      item.wait()
      item.wait()
    } cured: {
      let item = DispatchWorkItem {}
      _ = item.wait(timeout: .now() + .seconds(1))
      item.perform()
      item.wait()
    }
  }

  @Test func `a work item that is waited for runs once`() async {
    await expect(
      .trap,
      "scenario: runs DispatchWorkItem again after a wait for it: Dispatch permits one run"
    ) {
      let item = DispatchWorkItem {}
      item.perform()
      item.wait()
      item.perform()
    } cured: {
      let item = DispatchWorkItem {}
      item.perform()
      item.perform()
    }
    await expect(
      .trap,
      "scenario: waits for DispatchWorkItem, which has run more than once: Dispatch permits one run"
    ) {
      let item = DispatchWorkItem {}
      item.perform()
      item.perform()
      item.wait()
    } cured: {
      let item = DispatchWorkItem {}
      item.perform()
      item.notify(queue: .main) {}
      item.wait()
    }
  }

  @Test func `a semaphore freed below its initial value`() async {
    await expect(
      .trap,
      "scenario: frees DispatchSemaphore with 0 left of 1: Dispatch takes it to be in use"
    ) {
      DispatchSemaphore(value: 1).wait()
    } cured: {
      let semaphore = DispatchSemaphore(value: 1)
      semaphore.wait()
      semaphore.signal()
    }
  }

  @Test func `a semaphore below zero`() async {
    await expect(
      .trap, "scenario: makes DispatchSemaphore with -1 left, which Dispatch refuses"
    ) {
      _ = DispatchSemaphore(value: -1)
    } cured: {
      _ = DispatchSemaphore(value: 0)
    }
  }

  /// All of these run for real.
  @Test(arguments: [Strategy.exhaustive, reduced])
  func `what looks like misuse and is none`(_ strategy: Strategy) async {
    let exploration = await explore(strategy) {
      DispatchGroup().enter()
      for queue in [DispatchQueue.main, .global()] {
        queue.suspend()
        queue.resume()
        queue.resume()
        queue.setTarget(queue: DispatchQueue(label: "t"))
      }
      DispatchQueue(label: "a").activate()
      DispatchSemaphore(value: 1).signal()
      DispatchQueue.concurrentPerform(iterations: 0) { _ in }
      let item = DispatchWorkItem {}
      _ = item.wait(timeout: .now())
      _ = item.wait(timeout: .now())
      item.cancel()
      item.perform()
      item.wait()
    }
    #expect(exploration.failures.isEmpty && exploration.isComplete, "\(exploration)")
  }

  @Test(arguments: [Strategy.exhaustive, reduced])
  func `sync behind what the held target keeps waiting hangs, and does not trap`(
    _ strategy: Strategy
  ) async {
    let exploration = await explore(strategy) {
      let target = DispatchQueue(label: "t")
      let queues = ["a", "b"].map { DispatchQueue(label: $0, target: target) }
      queues[0].sync {
        queues[1].async {}
        queues[1].sync {}
      }
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock], "\(exploration)")
    #expect(exploration.isComplete)
  }

  @Test func `an extra leave`() async {
    await expect(
      .trap, "scenario: leaves DispatchGroup, which nobody has entered so often"
    ) {
      let group = DispatchGroup()
      group.enter()
      group.leave()
      group.leave()
    } cured: {
      let group = DispatchGroup()
      group.enter()
      group.leave()
    }
  }

  @Test func `a target set after use`() async {
    await expect(
      .trap,
      "scenario: sets the target of queue a, which is active: Dispatch permits it only before activate()"
    ) {
      DispatchQueue(label: "a").setTarget(queue: .global())
    } cured: {
      let queue = DispatchQueue(label: "a", attributes: .initiallyInactive)
      queue.setTarget(queue: .global())
      queue.activate()
    }
  }

  @Test func `two queues crosswise`() async {
    let exploration = await explore(reduced) {
      let queues = ["a", "b"].map { DispatchQueue(label: $0) }
      strands({ queues[0].sync { queues[1].sync {} } }, { queues[1].sync { queues[0].sync {} } })
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock])
    #expect(
      exploration.failures.first?.message
        == "a cycle of 2: A waits for queue b, held by B; B waits for queue a, held by A")
    #expect(exploration.isComplete)
    let cure = await explore(reduced) {
      let queues = ["a", "b"].map { DispatchQueue(label: $0) }
      strands({ queues[0].sync { queues[1].sync {} } }, { queues[0].sync { queues[1].sync {} } })
    }
    #expect(cure.failures.isEmpty && cure.isComplete, "\(cure)")
  }

  @Test func `an item that is never submitted`() async {
    await expect(
      .deadlock,
      "nothing can go on; this is a suspected deadlock, since at least one wait has no holder that is "
        + "known: scenario waits for the end of DispatchWorkItem"
    ) {
      DispatchWorkItem {}.wait()
    } cured: {
      let item = DispatchWorkItem {}
      DispatchQueue.global().async(execute: item)
      item.wait()
    }
  }

  @Test func `a leaked enter`() async {
    await expect(
      .deadlock,
      "nothing can go on; this is a suspected deadlock, since at least one wait has no holder that is "
        + "known: scenario waits for DispatchGroup"
    ) {
      let group = DispatchGroup()
      group.enter()
      group.wait()
    } cured: {
      let group = DispatchGroup()
      group.enter()
      DispatchQueue.global().async { group.leave() }
      group.wait()
    }
  }

  @Test func `the wrong queue`() async {
    await expect(.trap, "scenario: runs elsewhere than on queue a, on which it should") {
      dispatchPrecondition(condition: .onQueue(DispatchQueue(label: "a")))
    } cured: {
      let queue = DispatchQueue(label: "a")
      queue.sync { dispatchPrecondition(condition: .onQueue(queue)) }
    }
  }

  @Test func `misused locks`() async {
    await expect(
      .trap,
      "scenario: unlocks NSLock, which it does not hold; POSIX leaves open what happens then"
    ) {
      NSLock().unlock()
    } cured: {
      NSLock().withLock {}
    }
    await expect(.deadlock, "a cycle of 1: scenario waits for NSLock, held by scenario") {
      let lock = NSLock()
      lock.withLock { lock.withLock {} }
    } cured: {
      let lock = NSRecursiveLock()
      lock.withLock { lock.withLock {} }
    }
    await expect(
      .trap, "scenario: locks Mutex of Holder, which it holds: Mutex refuses a recursive call"
    ) {
      let mutex = Holder()
      mutex.value.withLock { _ in mutex.value.withLock { _ in } }
    } cured: {
      Holder().value.withLock { _ in }
    }
  }
}

private final class Holder: Sendable {
  let value = Mutex(0)
}
