import Foundation
import Testing

@testable import DeadlockDetection

@Suite(.timeLimit(.minutes(30))) struct QueueTests {
  @Test func `sync on the queue one runs on`() async throws {
    let findings = Findings()
    let queue = WatchedQueue("photos", detector: findings.detector)
    let error = await onThread { queue.sync { deadlock { try queue.syncOrThrow {} } } }
    let finding = try #require(error?.finding)
    #expect(finding.isConfirmed)
    #expect(finding.members.map(\.resource) == ["queue “photos”"])
    #expect(finding.members[0].participant.queue == "photos")
    #expect(finding.members[0].holds?.resource == "queue “photos”")
    #expect(findings.all.count == 1)
  }

  @Test func `sync across a shared target, and by way of a concurrent queue`() async throws {
    for isConcurrent in [false, true] {
      let findings = Findings()
      let detector = findings.detector
      let target = WatchedQueue("target", detector: detector)
      let a = WatchedQueue("a", isConcurrent: isConcurrent, target: target, detector: detector)
      let b = WatchedQueue("b", isConcurrent: isConcurrent, target: target, detector: detector)
      let error = await onThread { a.sync { deadlock { try b.syncOrThrow {} } } }
      #expect(error?.finding.isConfirmed == true)
      #expect(error?.finding.members[0].holds?.resource == "queue “target”")
    }
  }

  @Test func `two queues crosswise, by blocks that run and wait`() async throws {
    let findings = Findings()
    let detector = findings.detector
    let a = WatchedQueue("a", detector: detector)
    let b = WatchedQueue("b", detector: detector)
    let error = await onThread { () -> DeadlockError? in
      let (begun, gate) = (Gate(), Gate())
      let first = DispatchGroup()
      first.enter()
      a.async {
        begun.open()
        gate.pass()
        b.sync {}
        first.leave()
      }
      // A block that waits in its queue is a wait, too.
      begun.pass()
      let error = b.sync {
        gate.open()
        detector.untilWaiting(1)
        return deadlock { try a.syncOrThrow {} }
      }
      first.wait()
      return error
    }
    let finding = try #require(error?.finding)
    #expect(finding.isConfirmed)
    #expect(finding.members.map(\.participant.queue) == ["b", "a"])
    #expect(finding.members.map(\.resource) == ["queue “a”", "queue “b”"])
    #expect(findings.only != nil)
  }

  @Test func `a lock and a queue crosswise, and in opposite orders without meeting`() async throws {
    let findings = Findings()
    let detector = findings.detector
    let queue = WatchedQueue("q", detector: detector)
    let lock = WatchedLock("l", detector: detector)
    let error = await onThread { () -> DeadlockError? in
      var worker: Worker?
      let error = queue.sync {
        worker = Worker("w") { lock.withLock { queue.sync {} } }
        detector.untilWaiting(1)
        return deadlock { try lock.lockOrThrow() }
      }
      worker?.join()
      return error
    }
    #expect(error?.finding.members.map(\.resource) == ["lock “l”", "queue “q”"])
    #expect(findings.only != nil)

    let potential = Findings()
    await onThread {
      let queue = WatchedQueue("q", detector: potential.detector)
      let lock = WatchedLock("l", detector: potential.detector)
      Worker("1") { lock.withLock { queue.sync {} } }.join()
      Worker("2") { queue.sync { lock.withLock {} } }.join()
    }
    #expect(potential.only?.certainty == .potential)
    #expect(potential.only?.members.map(\.resource) == ["lock “l”", "queue “q”"])
  }

  @Test func `async, other queues, and one order are no alarm`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let a = WatchedQueue("a", detector: detector)
      let b = WatchedQueue("b", target: a, detector: detector)
      let c = WatchedQueue("c", isConcurrent: true, detector: detector)
      let group = WatchedGroup(detector: detector)
      let workers = (0..<4).map { number in
        Worker("\(number)") {
          for _ in 0..<100 {
            a.sync {}
            b.sync { c.sync {} }
            c.sync { c.sync {} }
            a.async(group: group) { a.async(group: group) { b.async(group: group) {} } }
          }
        }
      }
      for worker in workers { worker.join() }
      group.wait()
    }
    #expect(findings.all.isEmpty, "\(findings.all)")
    #expect(detector.waitCount == 0)
  }

  @Test func `a group that waits for its own member, running or waiting`() async throws {
    let findings = Findings()
    let detector = findings.detector
    let queue = WatchedQueue("q", detector: detector)
    let running = await onThread("caller") { () -> DeadlockError? in
      let group = WatchedGroup("g", detector: detector)
      let error = Guarded<DeadlockError?>(nil)
      queue.async(group: group) { error { $0 = deadlock { try group.waitOrThrow() } } }
      group.wait()
      return error { $0 }
    }
    #expect(running?.finding.isConfirmed == true)
    #expect(running?.finding.members.map(\.participant.queue) == ["q"])

    // The member waits behind the one who waits for it.
    let waiting = await onThread { () -> DeadlockError? in
      let group = WatchedGroup("g", detector: detector)
      return queue.sync {
        queue.async(group: group, name: "member") {}
        return deadlock { try group.waitOrThrow() }
      }
    }
    let finding = try #require(waiting?.finding)
    #expect(finding.isConfirmed)
    #expect(finding.members.map(\.resource) == ["group “g”", "queue “q”"])
    #expect(finding.members[1].participant.name == "member")
    #expect(finding.members[1].participant.kind == .block)

    // The member comes when it is waited for already.
    let late = Findings()
    await onThread {
      let group = WatchedGroup("g", detector: late.detector)
      let queue = WatchedQueue("q", detector: late.detector)
      group.enter()
      let gate = Gate()
      let waiter = Worker("waiter") {
        queue.sync {
          gate.open()
          group.wait()
        }
      }
      gate.pass()
      late.detector.untilWaiting(1)
      queue.async(group: group, name: "member") {}
      group.leave()
      _ = waiter
    }
    #expect(late.only?.isConfirmed == true)
    #expect(late.only?.names == ["member", "waiter"])
  }

  @Test func `a group with members of whom nothing is known is no alarm`() async {
    let findings = Findings()
    await onThread {
      let group = WatchedGroup(detector: findings.detector)
      group.enter()
      let worker = Worker("w") { group.leave() }
      group.wait()
      worker.join()
    }
    #expect(findings.all.isEmpty)
  }

  @Test func `a member that is dropped without leaving`() async {
    let findings = Findings()
    let error = await onThread("waiter") { () -> DeadlockError? in
      let group = WatchedGroup("g", detector: findings.detector)
      _ = group.promise()
      return deadlock { try group.waitOrThrow() }
    }
    #expect(error?.finding.kind == .endlessWait)
    #expect(error?.finding.isConfirmed == true)
    #expect(error?.finding.names == ["waiter"])
  }

  @Test func `a cycle of operations is told once, and again when it is closed again`() async {
    let findings = Findings()
    let detector = findings.detector
    await onThread {
      let operations = ["a", "b", "c"].map { WatchedOperation($0, detector: detector) }
      let (a, b, c) = (operations[0], operations[1], operations[2])
      // Once “b” is cancelled it ends, and nothing but this keeps the queue from running “a” before its next cycle.
      let gate = WatchedOperation("gate", detector: detector)
      a.addDependency(gate)
      a.addDependency(b)
      b.addDependency(c)
      c.addDependency(a)
      #expect(findings.all.count == 1)
      let queue = WatchedOperationQueue("q", detector: detector)
      for operation in operations { queue.addOperation(operation) }
      #expect(findings.all.count == 1)
      // One more that waits for them is none of them.
      let d = WatchedOperation("d", detector: detector)
      d.addDependency(a)
      #expect(findings.all.count == 1)
      c.removeDependency(a)
      c.addDependency(a)
      #expect(findings.all.count == 2)
      // Whoever is no longer in what was told may be in something new.
      b.cancel()
      a.addDependency(c)
      #expect(findings.all.count == 3)
      for operation in operations + [d] { operation.cancel() }
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(
      findings.all.map { Set($0.names) } == [["a", "b", "c"], ["a", "b", "c"], ["a", "c"]])
  }

  @Test func `operations that depend on each other, and one that waits for its own queue`() async {
    let cycle = Findings()
    let a = WatchedOperation("a", detector: cycle.detector)
    let b = WatchedOperation("b", detector: cycle.detector)
    let c = WatchedOperation("c", detector: cycle.detector)
    a.addDependency(b, line: 1)
    b.addDependency(c)
    #expect(cycle.all.isEmpty)
    c.addDependency(a)
    #expect(cycle.only?.isConfirmed == true)
    #expect(cycle.only?.names == ["c", "a", "b"])
    #expect(cycle.only?.members[1].place.line == 1)
    #expect(cycle.only?.members[2].place.file == #fileID)
    for operation in [a, b, c] { operation.cancel() }

    let own = Findings()
    let error = await onThread { () -> (DeadlockError?, DeadlockError?) in
      let queue = WatchedOperationQueue(
        "q", maxConcurrentOperationCount: 1, detector: own.detector)
      let errors = Guarded<(DeadlockError?, DeadlockError?)>((nil, nil))
      let later = WatchedOperation("later", detector: own.detector)
      queue.addOperation("first") {
        let all = deadlock { try queue.waitUntilAllOperationsAreFinishedOrThrow() }
        queue.addOperation(later)
        let one = deadlock { try later.waitUntilFinishedOrThrow() }
        errors { $0 = (all, one) }
      }
      queue.waitUntilAllOperationsAreFinished()
      return errors { $0 }
    }
    #expect(error.0?.finding.isConfirmed == true)
    #expect(error.0?.finding.members.count == 1)
    #expect(error.1?.finding.isConfirmed == true)
    #expect(error.1?.finding.members.map(\.participant.kind) == [.operation, .operation])
    #expect(own.all.count == 2)

    let cured = Findings()
    await onThread {
      let queue = WatchedOperationQueue(maxConcurrentOperationCount: 2, detector: cured.detector)
      let first = WatchedOperation(detector: cured.detector)
      let second = WatchedOperation(detector: cured.detector)
      second.addDependency(first)
      queue.addOperation(second)
      queue.addOperation(first)
      queue.addOperation { second.waitUntilFinished() }
      queue.waitUntilAllOperationsAreFinished()
    }
    #expect(cured.all.isEmpty, "\(cured.all)")
  }

  @Test func `a lock and the main queue crosswise, where the main actor runs`() async {
    let findings = Findings()
    let detector = findings.detector
    let main = WatchedQueue(mainFor: detector)
    let lock = WatchedLock("l", detector: detector)
    let worker = await MainActor.run {
      let worker = Worker("worker") { lock.withLock { main.sync {} } }
      detector.untilWaiting(1)
      #expect(deadlock { try lock.lockOrThrow() } != nil)
      return worker
    }
    await onThread { worker.join() }
    #expect(findings.only?.isConfirmed == true)
    #expect(findings.only?.members.map(\.resource) == ["lock “l”", "queue “main”"])
    #expect(findings.only?.names.last == "worker")
  }

  @Test func `a lock and the main queue in opposite orders that do not meet`() async {
    let findings = Findings()
    let main = WatchedQueue(mainFor: findings.detector)
    let lock = WatchedLock("l", detector: findings.detector)
    await onThread { Worker("worker") { lock.withLock { main.sync {} } }.join() }
    await withCheckedContinuation { continuation in
      main.async {
        lock.withLock {}
        continuation.resume()
      }
    }
    #expect(findings.only?.kind == .lockOrderInversion)
    #expect(findings.only?.certainty == .potential)
  }
}
