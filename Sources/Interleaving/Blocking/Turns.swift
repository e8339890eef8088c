import CInterleaving

/// The threads that carry strands, one of which has the turn.
///
/// A strand that comes to an operation gives the turn away and waits on its own thread, so that its stack stays
/// as it is. Say A has the turn and comes to `lock()`. Its thread asks what is `next`. If that is A's own
/// operation, A goes on; if it is B's, B's thread is handed the turn and A's waits; if it is a task or a strand
/// that begins, a thread that carries nothing takes it. Who finds that nothing is next says that the
/// execution has ended. Whatever is called here is called by the thread that has the turn, but for `run`,
/// `endWaiting` and `finish`, which the exploration's own thread calls while nobody has it.
final class Turns: @unchecked Sendable {
  // Sendable: its state belongs to the thread that has the turn, which goes from thread to thread by semaphores.
  private let next: () -> Agenda.Candidate?
  private let take: (Agenda.Candidate) -> Void
  private let enter: () -> Void
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

  /// - Parameters:
  ///   - next: What is to be done next; nil if the execution has ended.
  ///   - take: Does it, unless it is an operation, which the strand that waits does itself.
  ///   - enter: What a thread does first.
  init(
    next: @escaping () -> Agenda.Candidate?, take: @escaping (Agenda.Candidate) -> Void,
    enter: @escaping () -> Void
  ) {
    self.next = next
    self.take = take
    self.enter = enter
  }

  /// Runs steps until the execution has ended.
  func run() {
    takeCarrier().hand(.look)
    hasEnded.wait()
  }

  /// Gives the turn away, and returns when a strand's operation is the next to be done.
  ///
  /// - Returns: The operation's index on the agenda.
  func wait(_ strand: StrandID) -> Int {
    let carrier = holder!
    while waiting.count <= strand.number { waiting.append(nil) }
    waiting[strand.number] = carrier
    var mine = passTurn(from: carrier)
    if mine == nil, case .take(let candidate) = carrier.await() { mine = candidate }
    guard let mine else { Carrier.exit() }
    waiting[strand.number] = nil
    holder = carrier
    return mine.index
  }

  /// Gives the turn away, and ends the calling thread.
  func leave() -> Never {
    let carrier = holder!
    ended.append(carrier)
    _ = passTurn(from: carrier)
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

  /// What a carrier's thread does.
  private func serve(_ carrier: Carrier) {
    enter()
    while true {
      switch carrier.await() {
      case .end: return
      case .look: look(carrier)
      case .take(let candidate):
        holder = carrier
        take(candidate)
        look(carrier)
      }
    }
  }

  /// Does what is next until it is another's turn.
  private func look(_ carrier: Carrier) {
    while true {
      holder = carrier
      guard let candidate = next() else {
        idle.append(carrier)
        hasEnded.signal()
        return
      }
      if let other = self.carrier(of: candidate.strand) {
        idle.append(carrier)
        return other.hand(.take(candidate))
      }
      take(candidate)
    }
  }

  /// Gives the turn to whom the search says.
  ///
  /// - Returns: What comes next, if it is the calling carrier's own; else the turn has gone.
  private func passTurn(from carrier: Carrier) -> Agenda.Candidate? {
    guard let candidate = next() else {
      hasEnded.signal()
      return nil
    }
    let other = self.carrier(of: candidate.strand) ?? takeCarrier()
    if other === carrier { return candidate }
    other.hand(.take(candidate))
    return nil
  }

  /// The carrier of a strand that waits.
  private func carrier(of strand: StrandID) -> Carrier? {
    strand.number < waiting.count ? waiting[strand.number] : nil
  }

  /// A carrier that carries nothing.
  private func takeCarrier() -> Carrier {
    if let carrier = idle.popLast() { return carrier }
    let processor = processor ?? Processors.borrow()
    if self.processor == nil {
      self.processor = processor
      // The exploration's own thread waits while carriers run, and is woken for less beside them.
      interleaving_stay_on_processor(Int32(processor))
    }
    return Carrier(processor: processor) { [unowned self] in serve($0) }
  }
}
