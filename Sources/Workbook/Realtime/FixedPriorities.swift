import Foundation
import Synchronization

#if os(Linux)
  import CLinux
#endif

/// Threads with fixed priorities that share one processor: `SCHED_FIFO`, as real-time systems have it.
///
/// The most urgent thread that can run does run, and nobody else. It is for a child process: a thread that
/// never ended would have its processor to itself. So another processor is left free, a thread that computes
/// looks at the clock, and the kernel ends the process if a thread computes for too long without waiting
/// (`RLIMIT_RTTIME`).
public enum FixedPriorities {
  /// Why no such threads can be had here.
  public struct Unavailable: Error, CustomStringConvertible {
    public let description: String
  }

  /// A piece of code, and how urgent it is.
  public struct Work: Sendable {
    let priority: Int32
    let run: @Sendable () -> Void

    /// - Parameters:
    ///   - priority: From 1, the least urgent, to 99.
    ///   - run: What is run, on a thread of its own.
    public init(_ priority: Int32, run: @escaping @Sendable () -> Void) {
      self.priority = priority
      self.run = run
    }
  }

  /// Computes for so long, in CPU time of the calling thread; it gives up after three times that on the clock,
  /// and a second.
  public static func compute(_ time: Duration) {
    let deadline = ContinuousClock.now + time * 3 + .seconds(1)
    let begin = processorTime
    while processorTime - begin < time, ContinuousClock.now < deadline {}
  }

  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Runs each piece of code on a thread of its own, all on one processor, and waits until all have ended.
  ///
  /// Each begins when those before it wait or have ended. Afterwards the calling thread is as it was.
  ///
  /// - Parameters:
  ///   - works: The pieces of code, the most urgent first.
  ///   - limit: For how many seconds one may compute without waiting.
  /// - Throws: ``Unavailable`` where there is one processor only, or the system does not permit it. Nothing was
  ///   run then.
  public static func run(_ works: [Work], limit: UInt = 10) throws(Unavailable) {
    #if os(Linux)
      let processor = linux_spare_processor()
      guard processor >= 0 else {
        throw Unavailable(description: "there is one processor only")
      }
      // Else the threads could keep this one from starting the next.
      guard linux_keep_off(processor, 1) == 0 else { throw refusal(errno) }
      let previous = linux_limit_realtime(limit * 1_000_000)
      defer {
        _ = linux_limit_realtime(previous)
        _ = linux_keep_off(processor, 0)
      }
      var ends: [DispatchSemaphore] = []
      for work in works {
        let (isReady, hasEnded) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let error = Outcome()
        Thread.detachNewThread {
          // First urgent, then on the shared processor. The other way round it would arrive there as nobody in
          // particular, and wait for threads that are urgent already.
          let code = change(to: SCHED_FIFO, work.priority)
          error.code.withLock { $0 = code != 0 ? code : linux_run_on(processor) == 0 ? 0 : errno }
          let isUrgent = error.code.withLock { $0 == 0 }
          isReady.signal()
          if isUrgent { work.run() }
          _ = change(to: SCHED_OTHER, 0)
          hasEnded.signal()
        }
        isReady.wait()
        let code = error.code.withLock(\.self)
        // Whoever may have the first may have the others, which are less urgent.
        guard code == 0 else { throw refusal(code) }
        ends.append(hasEnded)
      }
      for end in ends { end.wait() }
    #else
      throw Unavailable(description: "a thread is bound to a processor on Linux only")
    #endif
  }

  #if os(Linux)
    private final class Outcome: Sendable {
      let code = Mutex<Int32>(0)
    }

    private static func refusal(_ code: Int32) -> Unavailable {
      Unavailable(description: "SCHED_FIFO: \(String(cString: strerror(code)))")
    }

    /// Gives the calling thread a policy and a priority; returns 0 or an error.
    private static func change(to policy: Int32, _ priority: Int32) -> Int32 {
      var parameters = sched_param()
      parameters.sched_priority = priority
      return pthread_setschedparam(pthread_self(), policy, &parameters)
    }
  #endif
}
