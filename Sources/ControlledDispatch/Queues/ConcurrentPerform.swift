import Interleaving

/// The iterations of one `concurrentPerform`: some are taken by the caller's thread, the others by workers.
///
/// Which thread has an iteration matters only to what it asks about the queue that the caller is on, so it
/// is settled when an iteration asks first. There are never more workers than iterations less one, because the
/// caller takes what nobody else has taken.
final class Iterations {
  fileprivate let caller: StrandContext
  private let count: Int
  private let threads = ControlledObject("the threads of concurrentPerform")
  /// How many iterations are known to be on workers, and have not ended.
  private var workers = 0
  private var isCallerBusy = false

  init(_ count: Int, _ caller: StrandContext) {
    (self.count, self.caller) = (count, caller)
  }

  /// The caller takes an iteration that never asks, if it has not taken one that does.
  func enter() {
    guard count > 1, caller.isOnQueue else { return }
    threads.perform(.update, "takes one of")
    isCallerBusy = true
  }

  /// - Returns: Whether the iteration that asks is on the caller's thread.
  fileprivate func settle() -> Bool {
    guard count > 1 else { return true }
    threads.perform(.update, "takes one of")
    let isOnCaller = !isCallerBusy || workers == count - 1
    if isOnCaller { isCallerBusy = true } else { workers += 1 }
    return isOnCaller
  }

  fileprivate func end(isOnCaller: Bool) {
    guard count > 1 else { return }
    threads.perform(.update, "gives back one of")
    if isOnCaller { isCallerBusy = false } else { workers -= 1 }
  }
}

/// One of them.
final class Iteration {
  private let all: Iterations
  private var settled: Bool?

  init(of all: Iterations) { self.all = all }

  /// The context of who has called `concurrentPerform`.
  var caller: StrandContext { all.caller }

  /// Whether it is on the caller's thread, which is settled by the first question.
  var isOnCaller: Bool {
    if let settled { return settled }
    let isOnCaller = all.settle()
    settled = isOnCaller
    return isOnCaller
  }

  func end() { settled.map(all.end) }
}

extension DispatchQueue {
  /// Runs a block so many times, each as a strand, and waits for all.
  ///
  /// An iteration on the caller's thread is on the caller's queue; one on a worker is not.
  public static func concurrentPerform(
    iterations: Int, execute work: @Sendable (Int) -> Void
  ) {
    guard iterations > 0 else { return }
    let control = Control.current(for: "DispatchQueue")
    let all = Iterations(iterations, StrandContext.current(control))
    withoutActuallyEscaping(work) { work in
      let ends = (0..<iterations).map { index in
        control.begin("iteration \(index)") {
          let iteration = Iteration(of: all)
          StrandContext.current(control).iteration = iteration
          work(index)
          iteration.end()
        }.end
      }
      all.enter()
      control.perform(VisibleOperation([], after: ends), "waits for all iterations")
    }
  }
}
