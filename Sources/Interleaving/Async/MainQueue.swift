import Foundation

/// Stands for the main actor's executor on the thread of an exploration.
///
/// Explorations that use it take turns, since main-actor code may share global state.
final class MainQueue: SerialExecutor {
  // Unowned: the receiver owns the queue.
  private unowned let receiver: JobReceiver

  init(_ receiver: JobReceiver) {
    self.receiver = receiver
  }

  func enqueue(_ job: consuming ExecutorJob) {
    receiver.receive(UnownedJob(job), isOnMain: true)
  }

  /// A block of the main queue's stand-in is isolated to the main actor, as one of the real queue is.
  func isIsolatingCurrentContext() -> Bool? {
    receiver.apart { MainQueueTest.shared() }
  }

  func checkIsolated() {
    precondition(isIsolatingCurrentContext() == true, "runs elsewhere than on the main actor")
  }
}

/// The right to run main-actor code, which one exploration has at a time.
struct MainTurn {
  private static let turn = NSLock()
  private var isHeld = false

  /// Waits for it, a minute at most: a blocked exploration keeps its turn, and nobody waits for that for ever.
  mutating func take() {
    if !isHeld { isHeld = Self.turn.lock(before: .now + 60) }
  }

  mutating func giveBack() {
    if isHeld { Self.turn.unlock() }
    isHeld = false
  }
}
