import Foundation
import Testing

@testable import DeadlockDetection

@Suite(.timeLimit(.minutes(30))) struct LockTests {
  @Test func `two locks crosswise are named member by member, before the last one blocks`()
    async throws
  {
    let findings = Findings()
    let detector = findings.detector
    let (a, b) = (WatchedLock("a", detector: detector), WatchedLock("b", detector: detector))
    let error = await onThread("right") { () -> DeadlockError? in
      let gate = Gate()
      // The lines are made up.
      b.lock(line: 1)
      let left = Worker("left") {
        a.withLock(line: 2) {
          gate.open()
          b.withLock(line: 3) {}
        }
      }
      gate.pass()
      detector.untilWaiting(1)
      let thrown = deadlock { try a.lockOrThrow(line: 4) }
      b.unlock()
      left.join()
      return thrown
    }
    let finding = try #require(error?.finding)
    #expect(finding.kind == .deadlock)
    #expect(finding.isConfirmed)
    #expect(finding.names == ["right", "left"])
    #expect(finding.members.map(\.resource) == ["lock “a”", "lock “b”"])
    #expect(finding.members.map(\.holds?.resource) == ["lock “b”", "lock “a”"])
    #expect(
      finding.description == """
        deadlock, confirmed
          thread “right”
            has lock “b” (taken at LockTests.swift:1) and waits for lock “a” at LockTests.swift:4
          thread “left”
            has lock “a” (taken at LockTests.swift:2) and waits for lock “b” at LockTests.swift:3
        """)
    // The one that went through has taken them in one order only.
    #expect(findings.only?.names == ["right", "left"])
    #expect(detector.waitCount == 0)
  }

  @Test(arguments: [2, 3, 5, 16])
  func `philosophers in a cycle are all named, and the hierarchy is not`(count: Int) async throws {
    let findings = Findings()
    let detector = findings.detector
    let forks = (0..<count).map { WatchedLock("\($0)", detector: detector) }
    await onThread {
      let gates = (0..<count).map { _ in Gate() }
      let philosophers = (0..<count).map { number in
        Worker("p\(number)") {
          forks[number].lock()
          gates[number].open()
          for gate in gates { gate.pass() }
          if number == count - 1 { detector.untilWaiting(count - 1) }
          let other = forks[(number + 1) % count]
          if (try? other.lockOrThrow()) != nil { other.unlock() }
          forks[number].unlock()
        }
      }
      for philosopher in philosophers { philosopher.join() }
    }
    let deadlocks = findings.all.filter { $0.kind == .deadlock }
    #expect(deadlocks.count == 1)
    #expect(deadlocks.first?.isConfirmed == true)
    #expect(
      deadlocks.first?.names
        == (0..<count).map { "p\(($0 + count - 1) % count)" })

    // The cure: the lower fork first.
    let cured = Findings()
    let ordered = (0..<count).map { _ in WatchedLock(detector: cured.detector) }
    await onThread {
      let philosophers = (0..<count).map { number in
        Worker("p\(number)") {
          let (first, second) = (
            min(number, (number + 1) % count), max(number, (number + 1) % count)
          )
          for _ in 0..<200 { ordered[first].withLock { ordered[second].withLock {} } }
        }
      }
      for philosopher in philosophers { philosopher.join() }
    }
    #expect(cured.all.isEmpty, "\(cured.all)")
  }

  @Test func `a lock taken again by its holder, and a recursive one`() async throws {
    let findings = Findings()
    let error = await onThread("self") { () -> DeadlockError? in
      let lock = WatchedLock("l", detector: findings.detector)
      lock.lock()
      defer { lock.unlock() }
      return deadlock { try lock.lockOrThrow() }
    }
    #expect(error?.finding.names == ["self"])
    #expect(findings.only?.isConfirmed == true)

    let cured = Findings()
    await onThread {
      let lock = WatchedRecursiveLock(detector: cured.detector)
      let other = WatchedLock(detector: cured.detector)
      for _ in 0..<2 {
        // Taken again below another lock, it is not ordered after it.
        lock.withLock { other.withLock { lock.withLock { lock.withLock {} } } }
      }
      Worker("other") { lock.withLock { other.withLock {} } }.join()
    }
    #expect(cured.all.isEmpty, "\(cured.all)")
  }

  @Test func `opposite orders that meet in no run are potential, with all four places`()
    async throws
  {
    let findings = Findings()
    await onThread {
      let a = WatchedLock("a", detector: findings.detector)
      let b = WatchedLock("b", detector: findings.detector)
      Worker("first") { a.withLock(line: 1) { b.withLock(line: 2) {} } }.join()
      Worker("second") { b.withLock(line: 3) { a.withLock(line: 4) {} } }.join()
      Worker("third") { b.withLock { a.withLock {} } }.join()
    }
    let finding = try #require(findings.only)
    #expect(finding.kind == .lockOrderInversion)
    #expect(finding.certainty == .potential)
    #expect(finding.names == ["second", "first"])
    #expect(finding.members.map(\.resource) == ["lock “a”", "lock “b”"])
    #expect(finding.members.map(\.place.line) == [4, 2])
    #expect(finding.members.map(\.holds?.place?.line) == [3, 1])
  }

  @Test func `gates, tries, limits in time and orders by address are no alarm`() async {
    let findings = Findings()
    await onThread {
      let detector = findings.detector
      let gate = WatchedLock("gate", detector: detector)
      let (a, b) = (WatchedLock("a", detector: detector), WatchedLock("b", detector: detector))
      let soon = Date.distantFuture
      Worker("1") { gate.withLock { a.withLock { b.withLock {} } } }.join()
      Worker("2") { gate.withLock { b.withLock { a.withLock {} } } }.join()
      let (c, d) = (WatchedLock("c", detector: detector), WatchedLock("d", detector: detector))
      Worker("3") { c.withLock { d.withLock {} } }.join()
      Worker("4") { d.withLock { if c.try() { c.unlock() } } }.join()
      Worker("5") { d.withLock { if c.lock(before: soon) { c.unlock() } } }.join()
      let accounts = (0..<10).map { _ in WatchedLock(detector: detector) }
      let ordered = accounts.sorted { ObjectIdentifier($0) < ObjectIdentifier($1) }
      for high in 1..<10 {
        for low in 0..<high {
          Worker("\(high) \(low)") {
            ordered[low].withLock { ordered[high].withLock {} }
          }.join()
        }
      }
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `a thread that ends with a lock leaves a wait that no one can end`() async throws {
    let findings = Findings()
    let lock = WatchedLock("l", detector: findings.detector)
    let error = await onThread("late") { () -> DeadlockError? in
      joined { lock.lock() }
      return deadlock { try lock.lockOrThrow() }
    }
    let finding = try #require(error?.finding)
    #expect(finding.kind == .endlessWait)
    #expect(finding.names == ["late"])
  }

  @Test func `a condition: its lock crosswise with another, and waiting as it should be`() async {
    let findings = Findings()
    let detector = findings.detector
    let condition = WatchedCondition("c", detector: detector)
    let lock = WatchedLock("l", detector: detector)
    await onThread {
      let isReady = Guarded(false)
      let gate = Gate()
      // Waits with a lock that the one who holds the condition's lock wants.
      let waiting = Worker("waiting") {
        lock.lock()
        condition.lock()
        gate.open()
        while !isReady({ $0 }) { condition.wait() }
        condition.unlock()
        lock.unlock()
      }
      gate.pass()
      detector.untilWaiting(1)
      Worker("signalling") {
        condition.lock()
        #expect(throws: DeadlockError.self) { try lock.lockOrThrow() }
        isReady { $0 = true }
        condition.signal()
        condition.unlock()
      }.join()
      waiting.join()
    }
    #expect(findings.only?.names == ["signalling", "waiting"])
    #expect(findings.only?.isConfirmed == true)

    let cured = Findings()
    await onThread {
      let condition = WatchedCondition(detector: cured.detector)
      let items = Guarded(0)
      let consumer = Worker("consumer") {
        for _ in 0..<100 {
          condition.withLock {
            while items({ $0 }) == 0 { condition.wait() }
            items { $0 -= 1 }
          }
        }
      }
      for _ in 0..<100 {
        condition.withLock {
          items { $0 += 1 }
          condition.signal()
        }
      }
      consumer.join()
    }
    #expect(cured.all.isEmpty, "\(cured.all)")
  }

  @Test func `a gate that another thread has opened is no gate`() async {
    for hasGate in [false, true] {
      let findings = Findings()
      let locks = ["gate", "a", "b"].map {
        WatchedLock($0, class: $0, detector: findings.detector)
      }
      let (gate, a, b) = (locks[0], locks[1], locks[2])
      await onThread {
        Worker("2") { gate.withLock { b.withLock { a.withLock {} } } }.join()
        Worker("1") {
          if hasGate {
            gate.lock()
            a.withLock { b.withLock {} }
            Worker("opener") { gate.unlock() }.join()
          }
          a.withLock { b.withLock {} }
        }.join()
      }
      #expect(findings.only?.kind == .lockOrderInversion)
    }
  }

  @Test func `a lock that a destructor gives back at the thread's end is not lost`() async {
    let findings = Findings()
    let isEnding = Gate()
    await onThread {
      let lock = WatchedLock("l", detector: findings.detector)
      let waiter = Guarded<Worker?>(nil)
      joined {
        lock.lock()
        var key = pthread_key_t()
        // Made after the detector's, so that it is called after it.
        pthread_key_create(&key) { pointer in
          #if canImport(Darwin)
            let pointer = Optional(pointer)  // Untested.
          #endif
          Unmanaged<WatchedLock>.fromOpaque(pointer!).takeRetainedValue().unlock()
        }
        pthread_setspecific(key, Unmanaged.passRetained(lock).toOpaque())
        waiter { $0 = Worker("waiter") { lock.withLock {} } }
        findings.detector.untilWaiting(1)
        isEnding.open()
      }
      waiter { $0! }.join()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
  }

  @Test func `what is released elsewhere leaves nothing behind`() async {
    let findings = Findings()
    let counts = await onThread {
      let locks = (0..<100).map { _ in WatchedLock(class: nil, detector: findings.detector) }
      let turns = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
      let releaser = Worker("releaser") {
        for lock in locks {
          turns[0].wait()
          lock.unlock()
          turns[1].signal()
        }
      }
      let counts = locks.map { lock in
        // An order would be noted, and what is left looked at, for what is waited for.
        _ = lock.try()
        defer {
          turns[0].signal()
          turns[1].wait()
        }
        return Strand.current.record.pointee.count
      }
      releaser.join()
      return counts
    }
    #expect(counts == Array(repeating: 1, count: 100))
  }

  @Test func `threads and tasks have numbers that do not come again`() async {
    let parties = Guarded<[Party]>([])
    await onThread {
      for _ in 0..<50 { joined { parties { $0.append(Strand.current.party) } } }
    }
    for _ in 0..<50 { await Task { parties { $0.append(Strand.current.party) } }.value }
    #expect(Set(parties { $0 }).count == 100)
  }

  @Test func `classes beyond the limit are counted, and have no order`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let first = (0..<10_000).map { WatchedLock(class: "\($0)", detector: detector) }
      let last = (0..<2).map { WatchedLock(class: "last \($0)", detector: detector) }
      Worker("1") { last[0].withLock { last[1].withLock {} } }.join()
      Worker("2") { last[1].withLock { last[0].withLock {} } }.join()
      withExtendedLifetime(first) {}
    }
    #expect(detector.orders == (kept: 0, omitted: 2))
    #expect(findings.all.isEmpty)
  }
}
