import Dispatch

extension Sourced {
  /// Keeps children running, on one serial queue. It keeps itself until it has ended.
  // Sendable because what changes is used on the serial queue only.
  final class Supervisor: @unchecked Sendable {
    /// Calls a block after a delay, on any queue.
    typealias Later = @Sendable (_ delay: Duration, _ block: @escaping @Sendable () -> Void) -> Void

    private let queue = DispatchQueue(label: "supervisor")
    private let start = ContinuousClock.now
    private let grace: Duration
    private let later: Later
    private let report: @Sendable (String) -> Void
    private var supervision: Supervision
    private var children: [Supervision.Place: Child] = [:]
    private var signals: Signals?
    private var failure: (any Error)?

    /// Begins the children, as soon as signals are watched.
    ///
    /// - Parameters:
    ///   - grace: How long a child may take to end before it is killed.
    ///   - report: What is asked for with SIGUSR1.
    ///   - whenEnded: Called once, when all children are reaped, with `nil` if it was told to end. Otherwise with
    ///     ``SupervisorError``, or with ``SignalError`` if a signal cannot be watched.
    /// - Throws: ``SignalError``; then nothing has begun.
    init(
      _ supervision: Supervision, grace: Duration, later: @escaping Later = Supervisor.later,
      report: @escaping @Sendable (String) -> Void,
      whenEnded: @escaping @Sendable ((any Error)?) -> Void
    ) throws {
      self.supervision = supervision
      self.grace = grace
      self.later = later
      self.report = report
      // On the queue, so that no handler comes before the sources are stored.
      try queue.sync {
        signals = try Signals(
          of: Supervision.signals, queue: queue,
          whenReady: { if let error = $0 { self.end(error) } else { self.take(.begin) } },
          whenSignal: { self.take(.signal($0)) },
          whenOver: {
            self.signals = nil
            whenEnded(self.failure)
          })
      }
    }

    /// Ends the children, and then the supervisor, as SIGTERM does.
    func terminate() { queue.async { self.take(.signal(.terminate)) } }

    private func take(_ event: Supervision.Event) {
      var events = [event]
      while !events.isEmpty {
        for order in supervision.take(events.removeFirst(), at: .now - start) {
          switch order {
          case .spawn(let place, let command): events.append(spawn(command, at: place))
          case .send(let signal, let place): children[place]?.send(signal)
          case .beginGracePeriod(let period):
            later(grace) { self.queue.async { self.take(.gracePeriodOver(period)) } }
          case .report(let text): report(text)
          case .end(let error): end(error)
          }
        }
      }
    }

    private func spawn(_ command: Command, at place: Supervision.Place) -> Supervision.Event {
      do {
        let child = try Child(spawning: command, queue: queue) { self.take(.ended(place, $0)) }
        children[place] = child
        return .began(place, child.id)
      } catch { return .failed(place, error) }
    }

    private func end(_ error: (any Error)?) {
      failure = error
      signals?.cancel()
    }

    /// Waits on a global queue.
    static let later: Later = { delay, block in
      DispatchQueue.global().asyncAfter(deadline: .now() + delay / .seconds(1), execute: block)
    }
  }
}
