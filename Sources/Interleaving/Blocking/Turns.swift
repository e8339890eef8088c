import CInterleaving

/// What is done on the threads that strands are carried by.
protocol TurnTaker: AnyObject {
  /// What is to be done next, by whom the search says; nil if the execution has ended.
  func next() -> Agenda.Candidate?
  /// Does it, unless it is an operation, which the strand that waits does itself.
  func take(_ candidate: Agenda.Candidate)
  /// What a thread does when it gets the turn, and before it gives it away: what it does without it, such as
  /// giving memory back, concerns nobody.
  func takeSeat()
  func leaveSeat()
}

/// The threads that carry strands, one of which has the turn.
///
/// A strand that comes to an operation passes the turn on and waits on its own thread, so that its stack stays
/// as it is. Say A has the turn and comes to `lock()`. Its thread asks what is next. If that is an operation,
/// the thread of that strand is handed the turn, be it A's own or B's; if it is a task or a strand that begins,
/// a thread that carries nothing takes it, and passes the turn on when that step has ended. Whoever finds that
/// nothing is next says that the execution has ended. Whatever is called here is called by the thread that has
/// the turn; while no thread has it, by the exploration's own.
final class Turns: @unchecked Sendable {
  // Sendable: its state belongs to the thread that has the turn, which goes from thread to thread by semaphores.
  // Unowned, and unchecked since every operation asks for it: the taker owns this, and ends all threads before its end.
  private unowned(unsafe) let taker: any TurnTaker
  /// The carrier that has the turn.
  private var holder: Carrier?
  /// By the numbers of their strands.
  private var waiting: [Carrier?] = []
  private var idle: [Carrier] = []
  /// Carriers whose threads have ended by themselves, or are about to.
  private var ended: [Carrier] = []
  private var processor: Int?
  /// Given when an execution has ended.
  private let hasEnded = Semaphore()

  init(_ taker: any TurnTaker) { self.taker = taker }

  /// Runs steps until the execution has ended.
  func run() {
    pass()
    hasEnded.wait()
    taker.takeSeat()
  }

  /// Passes the turn on, and returns when a strand's operation is the next to be done.
  ///
  /// - Returns: The operation's index on the agenda.
  func wait(_ strand: StrandID) -> Int {
    let next = taker.next()
    // Most often it is the one that has the turn.
    if let next, next.strand == strand { return next.index }
    let carrier = holder!
    while waiting.count <= strand.number { waiting.append(nil) }
    waiting[strand.number] = carrier
    pass(to: next)
    guard let candidate = carrier.await() else { Carrier.exit() }
    taker.takeSeat()
    waiting[strand.number] = nil
    holder = carrier
    return candidate.index
  }

  /// Ends the execution in the midst of a step, whose thread stays where it is.
  func stop() {
    taker.leaveSeat()
    hasEnded.signal()
  }

  /// Passes the turn on, and ends the calling thread.
  func leave() -> Never {
    ended.append(holder!)
    pass()
    Carrier.exit()
  }

  /// Ends the threads of strands that wait: they cannot be unwound, and an execution that was cut off goes on
  /// no further.
  func endWaiting() {
    for case let carrier? in waiting { carrier.end() }
    waiting = []
    for carrier in ended { carrier.join() }
    ended = []
  }

  /// Ends all threads.
  func finish() {
    for carrier in idle { carrier.end() }
    idle = []
    if let processor { Processors.giveBack(processor) }
    processor = nil
  }

  /// Gives the turn to whom the search says.
  private func pass() { pass(to: taker.next()) }

  /// Gives the turn to a strand; where there is none, the execution has ended.
  private func pass(to next: Agenda.Candidate?) {
    guard let candidate = next else {
      taker.leaveSeat()
      return hasEnded.signal()
    }
    let number = candidate.strand.number
    let waiter = number < waiting.count ? waiting[number] : nil
    let carrier = waiter ?? idle.popLast() ?? makeCarrier()
    taker.leaveSeat()
    carrier.hand(candidate)
  }

  private func makeCarrier() -> Carrier {
    let processor = processor ?? Processors.borrow()
    if self.processor == nil {
      self.processor = processor
      // The exploration's own thread waits while carriers run, and is woken for less beside them.
      interleaving_stay_on_processor(Int32(processor))
    }
    return Carrier(processor: processor) { [unowned self] carrier in
      while let candidate = carrier.await() {
        taker.takeSeat()
        holder = carrier
        taker.take(candidate)
        idle.append(carrier)
        pass()
      }
    }
  }
}
