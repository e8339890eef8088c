extension Async {
  /// Keeps children running, in one task that takes one event after another.
  struct Supervisor: Sendable {
    let supervision: Supervision
    /// How long a child may take to end before it is killed.
    let grace: Duration
    var clock: any Clock<Duration> = ContinuousClock()
    /// What is asked for with SIGUSR1.
    let report: @Sendable (String) -> Void

    private typealias Event = Supervision.Event

    /// Begins the children, as soon as signals are watched, and returns when all of them are reaped.
    ///
    /// When the task is cancelled, it ends the children and then itself, as SIGTERM does.
    ///
    /// - Throws: ``SupervisorError``, or ``SignalError`` if a signal cannot be watched.
    func run() async throws {
      let (events, sender) = AsyncStream<Event>.makeStream()
      sender.yield(.begin)
      // A task of its own is not cancelled, so it can wait for the children.
      let loop = Task { try await takeAll(events, sender) }
      try await withTaskCancellationHandler {
        try await loop.value
      } onCancel: {
        sender.yield(.signal(.terminate))
      }
    }

    private func takeAll(
      _ events: AsyncStream<Event>, _ sender: AsyncStream<Event>.Continuation
    ) async throws {
      let (closings, closed) = AsyncStream<Never>.makeStream()
      let signals = try await Signals(of: Supervision.signals) { closed.finish() }
      let error = await withDiscardingTaskGroup { group in
        group.addTask {
          for await set in signals {
            for signal in set.sorted() { sender.yield(.signal(signal)) }
          }
        }
        defer { group.cancelAll() }
        return await supervise(events, sender, in: &group)
      }
      for await _ in closings {}
      if let error { throw error }
    }

    private func supervise(
      _ events: AsyncStream<Event>, _ sender: AsyncStream<Event>.Continuation,
      in group: inout DiscardingTaskGroup
    ) async -> SupervisorError? {
      let time = stopwatch(clock)
      var supervision = supervision
      var children: [Supervision.Place: Child] = [:]
      for await event in events {
        var pending = [event]
        while !pending.isEmpty {
          for order in supervision.take(pending.removeFirst(), at: time()) {
            switch order {
            case .spawn(let place, let command):
              do {
                let child = try Child(spawning: command)
                children[place] = child
                group.addTask { sender.yield(.ended(place, await child.ending)) }
                pending.append(.began(place, child.id))
              } catch { pending.append(.failed(place, error)) }
            case .send(let signal, let place): children[place]?.send(signal)
            case .beginGracePeriod(let period):
              group.addTask {
                guard (try? await clock.sleep(for: grace)) != nil else { return }
                sender.yield(.gracePeriodOver(period))
              }
            case .report(let text): report(text)
            case .end(let error): return error
            }
          }
        }
      }
      preconditionFailure("a stream that nobody finishes does not end")
    }
  }
}

/// Gives what tells how much time has passed on a clock since now.
private func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
  let start = clock.now
  return { start.duration(to: clock.now) }
}
