/// Says in sentences what was found: the one place where that is done.
struct Wording {
  let names: StrandNames
  /// Where in the source strands wait and findings came up, if that was looked up.
  var lines = SourceLines()

  func message(_ finding: Finding) -> String {
    switch finding {
    case .cycle(let waiters): "a cycle of \(waiters.count): " + clauses(waiters)
    case .standstill(let waiters):
      "nothing can go on; this is a suspected deadlock, since at least one wait has no holder that is known: "
        + clauses(waiters.filter { $0.wait?.isForEnds != true || waiters.count == 1 })
    case .leak(let waiters):
      "the scenario has ended and left behind "
        + waiters.map { waiter in
          names[waiter.strand] + (waiter.wait.map { ", which waits for \(text($0))" } ?? "")
            + line(of: waiter)
        }.joined(separator: "; ")
    case .outcome(let outcome): "the outcome \(outcome)"
    case .error(let error): error
    case .race(let race):
      text(race) + ", and nothing that the explorer can see orders them"
        + (race.isMemoryAtStake
          ? "; memory is at stake, so that what comes of it was not explored" : "")
    case .livelock(let steps):
      "the scenario has not ended after \(steps) steps; if it needs more, raise `steps`"
    case .resumedTwice(let strand, let maker):
      "\(names[strand]) resumed a continuation of \(names[maker]) a second time"
        + (lines.findings[finding].map { ", at \($0)" } ?? "")
    case .continuationDropped(let maker):
      "a continuation of \(names[maker]) was dropped: nothing can resume the task"
    case .unsteadiness(let setUp?):
      "one schedule gave two different runs: only in one of them \(setUp) was set up, which lets others go on, as code that waits for a queue "
        + "does. It is set up once in a process; use it before the exploration, too"
    case .unsteadiness(nil):
      "one schedule gave two different runs: what the scenario does depends on addresses, as the order of a dictionary "
        + "does whose keys are ObjectIdentifiers, on chance, on state that outlives it, or, in a reduced search, on a library "
        + "that drops an object of the scenario's. What a static keeps begins anew with `renewsStatics: true`"
    case .anotherRun(let schedule, let run):
      (run.map { "this run is \($0) and not \(schedule)" }
        ?? "the schedule \(schedule) does not fit")
        + ": the code has changed since, or what it does depends on hashing (SWIFT_DETERMINISTIC_HASHING=1 in the "
        + "environment of both runs prevents that), on addresses, dates or state that outlives the scenario"
    case .escape:
      "another thread made a task of the scenario ready: a queue, a timer or a callback outside "
        + "Swift's concurrency is at work, and its order is not under control"
    case .trap(let strand, let reason, _):
      "\(names[strand]): \(reason)" + (lines.findings[finding].map { ", at \($0)" } ?? "")
    case .blocked(let strand, let isWaiting, _, let patience):
      "a step of \(names[strand]) has not come to its end in \(patience)"
        + (lines.findings[finding].map { ", at \($0)" } ?? "") + ": "
        + (isWaiting
          ? "it blocks its thread, on a semaphore, a lock or a file, which the explorer does not control. Await instead of "
            + "blocking, or use the stand-ins of ControlledDispatch"
          : "it computes for that long, or for ever. If it does come to its end, raise `patience`")
        + ". Its thread is left behind"
    }
  }

  /// Why a reduction's assumption does not hold.
  func message(unorderedWakeOf woken: StrandID, by waker: StrandID) -> String {
    "\(names[waker]) resumed \(names[woken]), which no actor and no Shared had told it of"
  }

  private func text(_ race: Race) -> String {
    let uses = race.uses.map { (names[$0.strand], $0) }.sorted { $0.0 < $1.0 }
    guard uses.contains(where: { $0.1.site != nil }) else {
      return uses.map(\.0).joined(separator: " and ") + " use \(race.variable), one of them writing"
    }
    return uses.map { name, use in
      "\(name) \(use.isWrite ? "writes" : "reads") \(race.variable) (\(use.site ?? "somewhere"))"
        + (use.asker.map { ", asked by \($0)" } ?? "")
    }.joined(separator: " and ")
  }

  func text(_ wait: Wait) -> String {
    switch wait {
    case .value(let strand): strand.map { "the value of \(names[$0])" } ?? "a task"
    case .children([]): "its group"
    case .children(let children):
      "its child task" + (children.count > 1 ? "s " : " ")
        + children.map { names[$0] }.joined(separator: ", ")
    case .continuation: "a continuation"
    case .hindrances(let hindrances):
      hindrances.map { hindrance in
        switch hindrance {
        case .end(let strand): "the end of \(names[strand])"
        case .object(let name, let holder): name + (holder.map { ", held by \(names[$0])" } ?? "")
        }
      }.joined(separator: " and ")
    }
  }

  private func clauses(_ waiters: [Waiter]) -> String {
    waiters.map { waiter in
      "\(names[waiter.strand]) waits for \(waiter.wait.map(text) ?? "something unknown")"
        + line(of: waiter)
    }.joined(separator: "; ")
  }

  private func line(of waiter: Waiter) -> String {
    lines.waits[waiter.strand].map { " (\($0))" } ?? ""
  }
}

/// Lines of source that an execution looked up while it was written down.
struct SourceLines: Sendable {
  var waits: [StrandID: String] = [:]
  var findings: [Finding: String] = [:]
}
