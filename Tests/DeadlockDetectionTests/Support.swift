import Foundation

@testable import DeadlockDetection

/// What a detector has found, kept for a test.
final class Findings: Sendable {
  private let kept = Guarded<[Finding]>([])
  let detector: DeadlockDetector

  /// - Parameter patience: How long what is suspected has to stand.
  init(patience: Duration = .zero) {
    let kept = kept
    detector = DeadlockDetector(patience: patience) { finding in
      kept { $0.append(finding) }
      return .goOn
    }
  }

  var all: [Finding] { kept { $0 } }

  /// The only one; nil if there is none or more.
  var only: Finding? { all.count == 1 ? all[0] : nil }
}

/// A thread with a name, that can be joined, and stopped where it is.
final class Worker: Sendable {
  private let isDone = DispatchSemaphore(value: 0)
  private let thread = Guarded<pthread_t?>(nil)

  init(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let thread = Thread { [isDone, thread] in
      // Threads of Dispatch refuse all signals, and so would those that they make.
      var signals = sigset_t()
      sigaddset(&signals, SIGUSR2)
      pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      thread { $0 = pthread_self() }
      #if canImport(Darwin)
        pthread_setname_np(name)  // Untested.
      #else
        // Foundation's own way is lost where the thread is quicker than its maker (Linux, 6.3.1).
        try? name.write(toFile: "/proc/thread-self/comm", atomically: false, encoding: .utf8)
      #endif
      body()
      isDone.signal()
    }
    thread.start()
  }

  func join() {
    isDone.wait()
    isDone.signal()
  }

  /// Stops the thread, which has begun, where it is. One at a time.
  ///
  /// - Returns: Lets it go on.
  func freeze() -> @Sendable () -> Void {
    Ice.turn.wait()
    signal(SIGUSR2) { _ in
      var byte: UInt8 = 0
      _ = write(Ice.isFrozen.1, &byte, 1)
      _ = read(Ice.isThawed.0, &byte, 1)
      _ = write(Ice.isFrozen.1, &byte, 1)
    }
    pthread_kill(thread { $0! }, SIGUSR2)
    var byte: UInt8 = 0
    _ = read(Ice.isFrozen.0, &byte, 1)
    return {
      var byte: UInt8 = 0
      _ = write(Ice.isThawed.1, &byte, 1)
      // The next one to be frozen must not read what is meant for this one.
      _ = read(Ice.isFrozen.0, &byte, 1)
      Ice.turn.signal()
    }
  }

  /// What a frozen thread and who freezes it say to each other: a signal handler may do little else.
  private enum Ice {
    static let turn = DispatchSemaphore(value: 1)
    static let isFrozen = pipe()
    static let isThawed = pipe()

    private static func pipe() -> (Int32, Int32) {
      let pipe = Pipe()
      return (
        dup(pipe.fileHandleForReading.fileDescriptor), dup(pipe.fileHandleForWriting.fileDescriptor)
      )
    }
  }
}

/// Whether the sanitizer is built in.
let isSanitized = dlsym(nil, "__tsan_acquire") != nil

/// What several can wait for.
final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)
  func open() { semaphore.signal() }
  func pass() {
    semaphore.wait()
    semaphore.signal()
  }
}

extension DeadlockDetector {
  /// Returns when so many waits are drawn.
  func untilWaiting(_ count: Int) { while waitCount < count { sched_yield() } }
}

/// Suspends until a body that blocks has returned, on a thread of its own.
func onThread<R: Sendable>(
  _ name: String = "blocking", _ body: @escaping @Sendable () -> R
) async -> R {
  await withCheckedContinuation { continuation in
    _ = Worker(name) { continuation.resume(returning: body()) }
  }
}

extension Finding {
  var names: [String] { members.map(\.participant.name) }
  var isConfirmed: Bool { certainty == .confirmed }
  var isSuspected: Bool { if case .suspected = certainty { true } else { false } }
}

/// What a body throws, if it is a deadlock.
func deadlock(_ body: () throws -> Void) -> DeadlockError? {
  do {
    try body()
    return nil
  } catch {
    return error as? DeadlockError
  }
}

/// Runs a body on a thread of its own, and returns when that has ended with all that belongs to it.
func joined(_ body: @escaping @Sendable () -> Void) {
  final class Box {
    let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }
  }
  let box = Unmanaged.passRetained(Box(body)).toOpaque()
  #if canImport(Darwin)
    var thread: pthread_t?  // Untested.
    pthread_create(
      &thread, nil,
      {
        Unmanaged<Box>.fromOpaque($0).takeRetainedValue().body()
        return nil
      }, box)
    pthread_join(thread!, nil)
  #else
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      {
        Unmanaged<Box>.fromOpaque($0!).takeRetainedValue().body()
        return nil
      }, box)
    pthread_join(thread, nil)
  #endif
}
