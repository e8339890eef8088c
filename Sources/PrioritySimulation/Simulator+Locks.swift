extension Simulator {
  /// Who keeps a job from taking a lock; nil if nobody does.
  func blocker(of job: Int, at lock: Int) -> Int? {
    switch policy.admission {
    case .whenFree: return holders[lock]
    case .inTurn:
      if let holder = holders[lock] { return holder }
      var first: Int?
      for other in jobs.indices where jobs[other].wanted == lock {
        if first.map({ jobs[other].ticket < jobs[$0].ticket }) ?? true { first = other }
      }
      return first == job ? nil : first
    case .aboveCeilings:
      var highest: Int?
      for other in holders.indices where holders[other] != nil && holders[other] != job {
        if highest.map({ program.ceilings[other] > program.ceilings[$0] }) ?? true {
          highest = other
        }
      }
      guard let highest, program.ceilings[highest] >= jobs[job].priority else {
        // Age can raise a job above the ceiling of the very lock.
        return holders[lock]
      }
      return holders[highest]
    }
  }

  /// Makes each job as urgent as its own priority, its age and the protocol make it.
  mutating func reprioritize() {
    for job in jobs.indices where jobs[job].status != .idle {
      var priority = jobs[job].base
      if let interval { priority += jobs[job].age / interval }
      if policy.boost == .ceilings {
        for lock in jobs[job].held { priority = max(priority, program.ceilings[lock]) }
      }
      if jobs[job].priority != priority {
        jobs[job].priority = priority
        mustDispatch = true
      }
    }
    guard policy.boost == .blockedJobs, wanting > 0 else { return }
    for job in jobs.indices where jobs[job].status == .blocked {
      let priority = jobs[job].priority
      var next = jobs[job].blocker
      while let blocker = next, jobs[blocker].priority < priority {
        jobs[blocker].priority = priority
        mustDispatch = true
        next = jobs[blocker].status == .blocked ? jobs[blocker].blocker : nil
      }
    }
  }

  mutating func take(_ lock: Int, _ job: Int) {
    if jobs[job].wanted != nil {
      jobs[job].wanted = nil
      wanting -= 1
    }
    if jobs[job].held.isEmpty { jobs[job].sections += 1 }
    jobs[job].held.append(lock)
    holders[lock] = job
    reconsider()
  }

  mutating func giveBack(_ lock: Int, _ job: Int) {
    jobs[job].held.removeLast()
    holders[lock] = nil
    reconsider()
  }

  mutating func block(_ job: Int, at lock: Int, by blocker: Int) {
    if jobs[job].wanted == nil {
      jobs[job].ticket = turns
      turns += 1
      wanting += 1
    }
    jobs[job].wanted = lock
    jobs[job].blocker = blocker
    jobs[job].status = .blocked
    leaveCore(job)
    reprioritize()
    recordDeadlock(closedBy: job)
  }

  /// Decides again about each job that has asked for a lock: one that would get it now is ready, to ask
  /// again when it runs; any other is blocked.
  private mutating func reconsider() {
    if wanting > 0 {
      for job in jobs.indices {
        guard let lock = jobs[job].wanted, jobs[job].status != .running else { continue }
        if let blocker = blocker(of: job, at: lock) {
          jobs[job].blocker = blocker
          jobs[job].status = .blocked
        } else if jobs[job].status == .blocked {
          makeReady(job)
        }
      }
    }
    if policy.boost != .nothing { reprioritize() }
  }

  private mutating func recordDeadlock(closedBy job: Int) {
    var cycle = [job]
    while let blocker = jobs[cycle.last!].blocker, jobs[blocker].status == .blocked {
      if blocker == job {
        let names = simulation.tasks.jobs.map(\.name)
        let waits = cycle.map { job in
          Deadlock.Wait(
            job: names[job], lock: simulation.tasks.locks[jobs[job].wanted!].name,
            blocker: names[jobs[job].blocker!])
        }
        simulation.deadlocks.append(Deadlock(time: now, cycle: waits))
        return
      }
      // It waits for an older deadlock.
      if cycle.contains(blocker) { return }
      cycle.append(blocker)
    }
  }
}
