import CInterleaving
import Synchronization

/// Explores on a thread of its own, so that a scenario that blocks holds up no one else; and watches it.
func onOwnThread<Outcome: Hashable & Sendable>(
  _ options: Options, _ isAllowed: @escaping @Sendable (Outcome) -> Bool,
  _ scenario: @escaping Explorer<Outcome>.Scenario,
  _ explore: @escaping @Sendable (Explorer<Outcome>) -> Exploration<Outcome>
) async -> Exploration<Outcome> {
  SwiftRuntime.takeHold()
  let (isCancelled, isDelivered) = (Flag(), Flag())
  let exploration: Exploration<Outcome> = await withTaskCancellationHandler {
    await withUnsafeContinuation { continuation in
      let delivery = Delivery(continuation, isDelivered)
      @Sendable func start(_ options: Options) {
        Carrier.detach {
          let explorer = Explorer(
            options, isAllowed: isAllowed, isCancelled: { isCancelled.isSet }, scenario: scenario)
          delivery.watch(explorer.executor.pulse, options.patience, giveUp: { isCancelled.set() })
          if !options.usesCarriers {
            // Of most scenarios no strand ever has to wait in the midst of what it does. What is on this thread's stack
            // where one has to stays behind.
            explorer.executor.startOver = { [executor = explorer.executor] reason in
              var anew = options
              anew.usesCarriers = true
              anew.points = executor.execution.races.points
              anew.hurries = executor.pulse.hurries
              switch reason {
              case .wait: executor.finish()
              case .stop: executor.abandon()
              }
              SwiftRuntime.setReceiver(nil)
              start(anew)
              switch reason {
              case .wait: Carrier.exit()
              case .stop: interleaving_wait_for_ever()
              }
            }
          }
          delivery.deliver(explore(explorer))
          explorer.executor.startOver = nil
        }
      }
      var first = options
      // Who vouches for what strands share has some that block.
      first.usesCarriers = options.strategy == .reduced(assuming: .controlledSharing)
      start(first)
    }
  } onCancel: {
    isCancelled.set()
  }
  // Where the task is resumed before it waits, the runtime does not tell ThreadSanitizer; this does.
  precondition(isDelivered.isSet, "an exploration came without a word")
  return exploration
}

/// Whether something has happened, for all threads; what came before it has happened, too.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// Hands over the result of an exploration, or the finding that it is stuck, whichever is first.
private final class Delivery<Outcome: Hashable & Sendable>: Sendable {
  private struct State {
    var continuation: UnsafeContinuation<Exploration<Outcome>, Never>?
    /// Ends the watch over it.
    var endWatch: (@Sendable () -> Void)?
  }

  private let state: Mutex<State>
  private let isDelivered: Flag

  init(_ continuation: UnsafeContinuation<Exploration<Outcome>, Never>, _ isDelivered: Flag) {
    state = Mutex(State(continuation: continuation))
    self.isDelivered = isDelivered
  }

  func deliver(_ exploration: Exploration<Outcome>) {
    let last = state.withLock { state in
      defer { state = State() }
      return state
    }
    last.endWatch?()
    guard let continuation = last.continuation else { return }
    isDelivered.set()
    continuation.resume(returning: exploration)
  }

  func watch(_ pulse: Pulse, _ patience: Duration, giveUp: @escaping @Sendable () -> Void) {
    let endWatch = Watchdog.watch(pulse, patience) { [self] in
      giveUp()
      deliver(.blocked(after: patience))
    }
    let other = state.withLock { state in
      guard state.continuation != nil else { return endWatch as (@Sendable () -> Void)? }
      defer { state.endWatch = endWatch }
      return state.endWatch
    }
    other?()
  }
}

extension Exploration {
  fileprivate static func blocked(after patience: Duration) -> Self {
    Exploration(
      outcomes: [:],
      failures: [
        Failure(
          kind: .blocked,
          message: "a step has not come to its end in \(patience): it blocks its thread, on a "
            + "semaphore, a lock or a file, or it computes for that long. Await instead of "
            + "blocking; if it computes, raise `patience`. Its thread is left behind.",
          schedule: nil, trace: nil, cause: nil, schedules: 1)
      ], schedules: 0, completeness: .uncontrolled, abandonedTasks: 0, advice: nil)
  }
}
