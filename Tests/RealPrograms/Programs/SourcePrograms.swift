import Dispatch

extension Programs {
  // What happens to data.

  static func addsUp() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let called = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler {
      log("\(source.data)")
      called.signal()
    }
    source.activate()
    source.suspend()
    for data in 1...10 as ClosedRange<UInt> { source.add(data: data) }
    source.resume()
    called.wait()
    source.cancel()
    queue.sync {}
    return log.entries
  }

  static func joinsBits() -> [String] {
    let (log, called) = (Log(), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataOrSource()
    source.setEventHandler {
      log("\(source.data) \(source.mask) \(source.handle)")
      called.signal()
    }
    for bit in 1...10 as ClosedRange<UInt> { source.or(data: 1 << bit) }
    source.resume()
    called.wait()
    source.cancel()
    return log.entries
  }

  static func keepsTheLast() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataReplaceSource(queue: queue)
    source.setEventHandler { log("\(source.data)") }
    source.activate()
    queue.sync {}
    queue.suspend()
    for data in 1...10 as ClosedRange<UInt> { source.replace(data: data) }
    queue.resume()
    queue.sync {}
    source.suspend()
    source.replace(data: 5)
    source.replace(data: 0)
    source.resume()
    queue.sync {}
    source.cancel()
    return log.entries
  }

  static func zeroIsNothing() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("\(source.data)") }
    source.activate()
    source.add(data: 0)
    queue.sync {}
    source.suspend()
    source.add(data: .max)
    source.add(data: 1)
    source.resume()
    queue.sync {}
    source.suspend()
    source.add(data: .max)
    source.add(data: 3)
    source.resume()
    queue.sync {}
    source.cancel()
    return log.entries
  }

  static func isKeptWhileTheHandlerRuns() -> [String] {
    let (log, queue, called) = (Log(), DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler {
      log("\(source.data)")
      if source.data == 1 {
        source.add(data: 2)
        source.add(data: 3)
        log("still \(source.data)")
        queue.async { log("block") }
      } else {
        called.signal()
      }
    }
    source.activate()
    source.add(data: 1)
    called.wait()
    source.cancel()
    return log.entries
  }

  static func staysUntilCancelled() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    log("\(source.data)")
    source.setEventHandler {}
    source.add(data: 5)
    log("\(source.data)")
    source.activate()
    queue.sync {}
    queue.sync {}
    log("\(source.data)")
    source.cancel()
    queue.sync {}
    log("\(source.data) \(source.isCancelled)")
    return log.entries
  }

  // The order of handlers, and of what else is in the queue.

  static func registersFirst() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let cancelled = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("event \(source.data)") }
    source.setCancelHandler {
      log("cancelled")
      cancelled.signal()
    }
    source.setRegistrationHandler {
      log("registered")
      queue.async { log("second block") }
    }
    queue.suspend()
    source.add(data: 4)
    source.activate()
    queue.async { log("block") }
    queue.resume()
    queue.sync {}
    queue.sync {}
    source.cancel()
    source.cancel()
    cancelled.wait()
    return log.entries
  }

  static func takesItsPlaceInTheQueue() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("event \(source.data)") }
    source.activate()
    queue.sync {}
    queue.suspend()
    source.add(data: 1)
    source.suspend()
    queue.async { log("block") }
    source.resume()
    source.add(data: 2)
    queue.resume()
    queue.sync {}
    source.suspend()
    source.add(data: 4)
    queue.suspend()
    queue.async { log("second block") }
    source.resume()
    queue.async { log("third block") }
    queue.resume()
    queue.sync {}
    source.cancel()
    return log.entries
  }

  static func cancelsWhatWaits() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("event") }
    source.setCancelHandler { log("cancelled") }
    source.activate()
    queue.sync {}
    queue.suspend()
    source.add(data: 1)
    queue.async { log("block") }
    source.cancel()
    source.add(data: 1)
    queue.resume()
    queue.sync {}
    return log.entries
  }

  static func cancelsInItsHandler() -> [String] {
    let (log, queue, ran) = (Log(), DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler {
      log("event")
      queue.async {
        log("block")
        ran.signal()
      }
      source.cancel()
      log("cancelling")
    }
    source.setCancelHandler { log("cancelled") }
    source.activate()
    source.add(data: 1)
    ran.wait()
    return log.entries
  }

  static func isCancelledWhileInactive() -> [String] {
    let (log, queue, cancelled) = (Log(), DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("event") }
    source.setRegistrationHandler { log("registered") }
    source.setCancelHandler {
      log("cancelled")
      cancelled.signal()
    }
    source.cancel()
    queue.sync {}
    log("not yet")
    source.activate()
    cancelled.wait()
    return log.entries
  }

  static func isCancelledWhileSuspended() -> [String] {
    let (log, queue, cancelled) = (Log(), DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("event") }
    source.activate()
    queue.sync {}
    source.suspend()
    source.add(data: 2)
    source.cancel()
    queue.sync {}
    log("not yet")
    source.resume()
    queue.sync {}
    // What is set later runs, too.
    source.setCancelHandler {
      log("cancelled")
      cancelled.signal()
    }
    cancelled.wait()
    return log.entries
  }

  static func takesOtherHandlers() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("first") }
    source.activate()
    queue.sync {}
    source.setEventHandler { log("second \(source.data)") }
    source.add(data: 1)
    queue.sync {}
    source.setEventHandler(handler: nil as DispatchSourceHandler?)
    source.add(data: 2)
    queue.sync {}
    source.setEventHandler { log("third \(source.data)") }
    queue.sync {}
    source.add(data: 4)
    queue.sync {}
    let item = DispatchWorkItem { log("item") }
    source.setEventHandler(handler: item)
    source.add(data: 8)
    queue.sync {}
    item.cancel()
    source.add(data: 16)
    queue.sync {}
    source.setRegistrationHandler { log("registered late") }
    queue.sync {}
    source.cancel()
    return log.entries
  }

  static func runsAloneOnAConcurrentQueue() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "c", attributes: .concurrent))
    let (began, added) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = DispatchSemaphore(value: 0)
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler {
      log("begins \(source.data)")
      began.signal()
      added.wait()
      log("ends")
      ended.signal()
    }
    source.activate()
    source.add(data: 1)
    began.wait()
    source.add(data: 2)
    source.add(data: 4)
    queue.sync { log("beside") }
    added.signal()
    added.signal()
    ended.wait()
    ended.wait()
    source.cancel()
    return log.entries
  }

  static func runsOnAnotherQueue() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let (other, key) = (DispatchQueue(label: "other"), DispatchSpecificKey<String>())
    queue.setSpecific(key: key, value: "queue")
    other.setSpecific(key: key, value: "other")
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log(DispatchQueue.getSpecific(key: key) ?? "none") }
    source.activate()
    source.add(data: 1)
    queue.sync {}
    queue.sync {}
    (source as! DispatchSource).setTarget(queue: other)
    source.add(data: 1)
    other.sync {}
    other.sync {}
    source.cancel()
    return log.entries
  }

  // What nobody keeps.

  static func isReleased() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    queue.suspend()
    do {
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setEventHandler { log("event") }
      source.setCancelHandler { log("cancelled") }
      source.activate()
      source.add(data: 1)
    }
    do {
      let source = DispatchSource.makeUserDataAddSource(queue: queue)
      source.setCancelHandler { log("cancelled, then released") }
      source.activate()
      source.cancel()
    }
    do {
      let timer = DispatchSource.makeTimerSource(queue: queue)
      timer.setEventHandler { log("fires") }
      timer.schedule(deadline: .now())
      timer.activate()
    }
    queue.resume()
    queue.sync {}
    queue.sync {}
    return log.entries
  }

  static func resumesInsteadOfActivating() -> [String] {
    let (log, queue) = (Log(), DispatchQueue(label: "q"))
    let source = DispatchSource.makeUserDataAddSource(queue: queue)
    source.setEventHandler { log("event \(source.data)") }
    source.suspend()
    source.resume()
    source.add(data: 1)
    queue.sync {}
    log("inactive still")
    source.resume()
    source.activate()
    queue.sync {}
    queue.sync {}
    source.cancel()
    return log.entries
  }

  // Timers.

  static func countsPeriods() -> [String] {
    let (log, fired) = (Log(), DispatchSemaphore(value: 0))
    let timer = DispatchSource.makeTimerSource()
    timer.setEventHandler {
      log("\(timer.data)")
      fired.signal()
    }
    // As if it had been suspended for so long.
    timer.schedule(deadline: .now() - 57, repeating: .seconds(6))
    timer.resume()
    fired.wait()
    log("then \(timer.data)")
    timer.schedule(wallDeadline: .now() - 57)
    fired.wait()
    timer.cancel()
    return log.entries
  }

  static func firesAgainAndAgain() -> [String] {
    let (log, cancelled) = (Log(), DispatchSemaphore(value: 0))
    let timer = DispatchSource.makeTimerSource(flags: .strict)
    nonisolated(unsafe) var count = 0
    timer.setEventHandler {
      count += 1
      log("fires")
      if count == 3 { timer.cancel() }
    }
    timer.setCancelHandler {
      log("cancelled")
      cancelled.signal()
    }
    timer.schedule(wallDeadline: .now() + 0.002, repeating: 0.001, leeway: .milliseconds(1))
    timer.activate()
    cancelled.wait()
    return log.entries
  }

  static func isScheduledAnew() -> [String] {
    let (log, queue, fired) = (Log(), DispatchQueue(label: "q"), DispatchSemaphore(value: 0))
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler {
      log("fires \(timer.data)")
      fired.signal()
    }
    timer.activate()
    timer.suspend()
    timer.schedule(deadline: .now())
    timer.schedule(deadline: .now() + .seconds(3600))
    timer.resume()
    queue.sync {}
    timer.schedule(deadline: .distantFuture, repeating: .milliseconds(1))
    queue.sync {}
    log("not yet")
    timer.schedule(deadline: .now() + .milliseconds(1), repeating: .infinity)
    fired.wait()
    timer.cancel()
    timer.schedule(deadline: .now())
    queue.sync {}
    return log.entries
  }

  // What ends the process.

  static func resumesTooOften() {
    let source = DispatchSource.makeUserDataAddSource()
    source.activate()
    source.resume()
  }

  static func releasesInactive() { DispatchSource.makeTimerSource().cancel() }

  static func releasesSuspended() {
    let source = DispatchSource.makeUserDataAddSource()
    source.activate()
    source.suspend()
    source.cancel()
  }

  static func repeatsBackwards() {
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now(), repeating: -1)
    timer.activate()
  }

  static func addsToATimer() {
    let timer = DispatchSource.makeTimerSource() as! DispatchSource
    timer.activate()
    timer.add(data: 1)
  }
}

extension Programs {
  /// Suspended while a handler runs, it may call the next one all the same.
  static func suspendsInItsHandlers() -> [String] {
    let (log, over) = (Log(), DispatchSemaphore(value: 0))
    let source = DispatchSource.makeUserDataAddSource(queue: DispatchQueue(label: "q"))
    source.setRegistrationHandler {
      source.add(data: 1)
      source.suspend()
    }
    source.setEventHandler {
      log("told \(source.data)")
      source.suspend()
      source.cancel()
    }
    source.setCancelHandler {
      log("cancelled")
      over.signal()
    }
    source.activate()
    over.wait()
    source.resume()
    source.resume()
    return log.entries
  }
}

/// What may be done to a source, in any order.
enum SourceCall: CaseIterable {
  case activate, resume, suspend, cancel, event
}

extension Programs {
  enum MergingKind: CaseIterable { case add, or, replace }

  /// Does so much to a source, ends it, and says what its handlers were told; a resume that would trap is left out.
  static func plays(_ calls: [SourceCall], on kind: MergingKind) -> [String] {
    let log = Log()
    let queue = DispatchQueue(label: "orders")
    let source: any DispatchSourceProtocol
    let send: (UInt) -> Void
    switch kind {
    case .add: (source, send) = { ($0, $0.add) }(DispatchSource.makeUserDataAddSource(queue: queue))
    case .or: (source, send) = { ($0, $0.or) }(DispatchSource.makeUserDataOrSource(queue: queue))
    case .replace:
      (source, send) = { ($0, $0.replace) }(DispatchSource.makeUserDataReplaceSource(queue: queue))
    }
    source.setRegistrationHandler { log("registered") }
    source.setEventHandler { log("told \(source.data)") }
    source.setCancelHandler { log("cancelled") }
    var (isActive, suspensions) = (false, 0)
    func make(_ call: SourceCall, _ value: UInt) {
      switch call {
      case .activate:
        source.activate()
        isActive = true
      case .resume where suspensions > 0 || !isActive:
        source.resume()
        if suspensions > 0 { suspensions -= 1 } else { isActive = true }
      case .resume: break
      case .suspend:
        source.suspend()
        suspensions += 1
      case .cancel: source.cancel()
      case .event: send(value)
      }
      queue.sync {}
      log("\(call)")
    }
    for (index, call) in calls.enumerated() { make(call, 1 << UInt(index)) }
    make(.activate, 0)
    while suspensions > 0 { make(.resume, 0) }
    make(.cancel, 0)
    return log.entries
  }
}
