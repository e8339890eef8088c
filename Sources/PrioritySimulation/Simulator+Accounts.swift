extension Simulator {
  /// Lets time go by in which no job changes what it does.
  mutating func elapse(until next: Int) {
    let time = next - now
    var least: Int?
    var hasIdleCore = false
    for core in cores.indices {
      guard let job = cores[core].job else {
        hasIdleCore = true
        continue
      }
      takeUp(job)
      show(job, .running(core: core, lock: jobs[job].held.last))
      jobs[job].remaining -= time
      if jobs[job].quantum != .max { jobs[job].quantum -= time }
      if least.map({ jobs[job].base < jobs[$0].base }) ?? true { least = job }
    }
    for job in jobs.indices {
      switch jobs[job].status {
      case .running: continue
      case .idle: if jobs[job].shown != nil { show(job, nil) }
      case .waiting: show(job, .waiting)
      case .ready:
        show(job, .ready)
        jobs[job].age += time
      case .blocked: show(job, .blocked)
      }
      guard jobs[job].status == .ready || jobs[job].status == .blocked else { continue }
      if let least, jobs[least].base < jobs[job].base {
        delay(job, by: least, time)
      } else if hasIdleCore, let blocker = jobs[job].blocker {
        delay(job, by: blocker, time)
      }
    }
    now = next
  }

  private mutating func delay(_ job: Int, by other: Int, _ time: Int) {
    let number = jobs[other].number
    let section = jobs[other].held.isEmpty ? 0 : jobs[other].sections
    let known = jobs[job].blocking.firstIndex {
      $0.job == other && $0.number == number && $0.section == section
    }
    if let known {
      jobs[job].blocking[known].time += time
    } else {
      jobs[job].blocking.append(
        Delay(
          job: other, number: number, section: section, lock: jobs[other].held.first, time: time))
    }
  }

  /// Notes what a job does from now on, nil for nothing.
  private mutating func show(_ job: Int, _ activity: Span.Activity?) {
    let priority = jobs[job].priority
    if let shown = jobs[job].shown {
      if shown.activity == activity, shown.priority == priority,
        jobs[job].shownNumber == jobs[job].number
      {
        return
      }
      if jobs[job].since < now {
        simulation.spans.append(
          Span(
            job: job, number: jobs[job].shownNumber, time: jobs[job].since..<now,
            activity: shown.activity, priority: shown.priority))
      }
    } else if activity == nil {
      return
    }
    jobs[job].shown = activity.map { ($0, priority) }
    jobs[job].shownNumber = jobs[job].number
    jobs[job].since = now
  }

  // MARK: Results

  mutating func respond(_ job: Int, release: Int, number: Int, completion: Int?) {
    let tasks = simulation.tasks
    let given = tasks.jobs[job]
    let blocking = jobs[job].blocking.map {
      Blocking(
        job: tasks.jobs[$0.job].name, number: $0.number,
        section: $0.section == 0 ? nil : $0.section,
        lock: $0.lock.map { tasks.locks[$0].name }, time: $0.time)
    }
    jobs[job].blocking = []
    responses[job].append(
      Response(
        job: given.name, number: number, release: release, completion: completion,
        deadline: given.deadline.map { release + $0 }, blocking: blocking))
  }

  /// Notes the last thing that a job did, and its releases that were never done.
  mutating func closeBooks(of job: Int) {
    show(job, nil)
    guard jobs[job].status != .idle else { return }
    for number in jobs[job].number...jobs[job].released {
      let later = number - jobs[job].number
      respond(
        job, release: jobs[job].release + later * (jobs[job].period ?? 0), number: number,
        completion: nil)
    }
  }
}
