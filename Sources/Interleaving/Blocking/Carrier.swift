import CInterleaving

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
  import Dispatch
#endif

/// A thread that carries one strand at a time and runs only when the turn is its own.
///
/// The turn goes from thread to thread without one in between. All carriers of an exploration stay on
/// one processor, since only one of them runs: handing over takes a tenth of the time so.
final class Carrier: @unchecked Sendable {
  // Sendable: `candidate` is written by the thread that has the turn, before it gives it away with
  // `semaphore`, and read by the one that gets it.

  /// What the thread does with the turn; nil to end, wherever its strand is.
  private var candidate: Agenda.Candidate?
  private let semaphore = Semaphore()
  private let body: @Sendable (Carrier) -> Void
  private let processor: Int
  private var thread: UInt = 0

  /// - Parameters:
  ///   - processor: Which of those that the process may use, from 0.
  ///   - body: What the thread does.
  init(processor: Int, _ body: @escaping @Sendable (Carrier) -> Void) {
    self.body = body
    self.processor = processor
    // The thread takes over a reference.
    thread = interleaving_start_thread(
      { carrier in
        let carrier = Unmanaged<Carrier>.fromOpaque(carrier!).takeRetainedValue()
        interleaving_stay_on_processor(Int32(carrier.processor))
        carrier.body(carrier)
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(thread != 0, "no thread could be made for an exploration")
  }

  /// Gives the turn to this carrier, to do something with it, or to end.
  func hand(_ candidate: Agenda.Candidate?) {
    self.candidate = candidate
    semaphore.signal()
  }

  /// Waits for the turn.
  ///
  /// - Returns: What to do with it; nil to end.
  func await() -> Agenda.Candidate? {
    semaphore.wait()
    return candidate
  }

  /// Ends the carrier's thread wherever it is, and waits until it has.
  ///
  /// What is on its stack is not released: Swift cannot unwind a strand that is stuck.
  func end() {
    hand(nil)
    join()
  }

  /// Waits until the carrier's thread has ended.
  func join() {
    if thread != 0 { interleaving_join_thread(thread) }
    thread = 0
  }

  /// Runs code on a thread of its own, which may end itself by `exit`.
  static func detach(_ body: @escaping @Sendable () -> Void) {
    final class Code: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    // The thread takes over a reference.
    let thread = interleaving_start_thread(
      { code in
        Unmanaged<Code>.fromOpaque(code!).takeRetainedValue().body()
        return nil
      }, Unmanaged.passRetained(Code(body)).toOpaque())
    precondition(thread != 0, "no thread could be made for an exploration")
    interleaving_detach_thread(thread)
  }

  /// Ends the calling thread as `Thread.exit()` does; nothing on its stack is released.
  static func exit() -> Never { interleaving_exit_thread() }
}

/// A semaphore that ThreadSanitizer understands.
final class Semaphore: @unchecked Sendable {
  // Sendable: POSIX synchronises its semaphores itself, and so does Dispatch.
  #if canImport(Glibc)
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
      sem_destroy(semaphore)
      semaphore.deallocate()
    }

    func signal() { sem_post(semaphore) }

    func wait() { while sem_wait(semaphore) != 0 {} }
  #else
    private let semaphore = DispatchSemaphore(value: 0)
    func signal() { semaphore.signal() }
    func wait() { semaphore.wait() }
  #endif
}
