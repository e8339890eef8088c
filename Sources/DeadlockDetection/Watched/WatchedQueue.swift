import Dispatch

/// A DispatchQueue that is watched.
///
/// A serial queue is held by whoever runs one of its blocks, and by nobody between two. A queue with a serial
/// target is held together with it. Blocks that wait in a queue are parties of their own.
public final class WatchedQueue: Sendable {
  let real: DispatchQueue
  /// The serial queues that a block of this one needs: itself, its target, the target's target.
  private let chain: [Resource]
  private let detector: DeadlockDetector

  /// Makes a serial or concurrent queue.
  ///
  /// - Parameters:
  ///   - label: What it is called.
  ///   - isConcurrent: Whether its blocks may run beside each other.
  ///   - target: The queue that its blocks run on, if any.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  public init(
    _ label: String, isConcurrent: Bool = false, target: WatchedQueue? = nil,
    detector: DeadlockDetector = .shared, file: StaticString = #fileID, line: UInt = #line
  ) {
    real = DispatchQueue(
      label: label, attributes: isConcurrent ? .concurrent : [], target: target?.real)
    self.detector = detector
    let own =
      isConcurrent
      ? []
      : [
        Resource("queue", name: label, detector: detector, at: Place(file, line))
      ]
    chain = own + (target?.chain ?? [])
  }

  /// The main queue, watched by a detector.
  public init(
    mainFor detector: DeadlockDetector, file: StaticString = #fileID, line: UInt = #line
  ) {
    real = .main
    self.detector = detector
    chain = [MainQueue("queue", name: "main", detector: detector, at: Place(file, line))]
  }

  /// Makes a queue as Dispatch's own initializer does.
  ///
  /// - Parameters:
  ///   - label: What it is called.
  ///   - attributes: Whether its blocks may run beside each other.
  ///   - target: The queue that its blocks run on, if any.
  ///   - detector: Who watches it.
  ///   - file: The file where a report says that it was made.
  ///   - line: The line where a report says that it was made.
  public convenience init(
    label: String, attributes: DispatchQueue.Attributes = [], target: WatchedQueue? = nil,
    detector: DeadlockDetector = .shared, file: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(
      label, isConcurrent: attributes.contains(.concurrent), target: target, detector: detector,
      file: file, line: line)
  }

  private init(global real: DispatchQueue) {
    self.real = real
    detector = .shared
    chain = []
  }

  /// A global queue, watched by the shared detector. Nobody holds it.
  public static func global(qos: DispatchQoS.QoSClass = .default) -> WatchedQueue {
    WatchedQueue(global: .global(qos: qos))
  }

  /// What it is called.
  public var label: String { real.label }

  /// The main queue, watched by the shared detector.
  public static let main = WatchedQueue(mainFor: .shared)

  /// Runs a body on the queue and waits until it has returned.
  public func sync<R>(
    file: StaticString = #fileID, line: UInt = #line, execute body: () throws -> R
  ) rethrows -> R {
    let strand = Strand.current
    let place = Place(file, line)
    let wait = try! draw(strand, place, refuses: false)
    defer { detector.erase(wait) }
    return try real.sync { try run(from: strand, wait, at: place, body) }
  }

  /// Runs a body on the queue and waits until it has returned, unless that is a deadlock.
  ///
  /// - Throws: ``DeadlockError`` instead of waiting, if the deadlock is confirmed, or what the body throws.
  public func syncOrThrow<R>(
    file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> R
  ) throws -> R {
    let strand = Strand.current
    let place = Place(file, line)
    let wait = try draw(strand, place, refuses: true)
    defer { detector.erase(wait) }
    return try real.sync { try run(from: strand, wait, at: place, body) }
  }

  /// Has work run on the queue later.
  ///
  /// - Parameters:
  ///   - group: A group that it is a member of until it has returned.
  ///   - promises: What it will keep: until it runs, whoever waits for them waits for it.
  ///   - name: What a report calls it while it has not run; otherwise the place of this call.
  ///   - file: The file where a report says that it was handed over.
  ///   - line: The line where a report says that it was handed over.
  ///   - work: What is run.
  public func async(
    group: WatchedGroup? = nil, keeping promises: [Promise] = [], name: String? = nil,
    file: StaticString = #fileID, line: UInt = #line, execute work: @escaping @Sendable () -> Void
  ) {
    let place = Place(file, line)
    let block = Block(debts: promises.map(\.debt))
    let participant = Participant(
      kind: .block, name: name ?? "\(place)", thread: nil, queue: real.label)
    if let group {
      let membership = Debt()
      membership.owner = block.party
      block.debts.append(membership)
      group.enter(membership)
    }
    block.own(block.party, detector)
    // Whoever waits for the group or a promise may have begun to wait for this block.
    try! detector.draw([block.party], { participant }, waitsFor: chain, at: place)
    real.async {
      self.detector.erase(block.party)
      self.run(at: place) {
        let party = Strand.current.party
        block.own(party, self.detector)
        work()
        block.disown(party, self.detector)
      }
      if let group { group.leave(block.debts.last!) }
    }
  }

  /// Runs work as a block of the queue that has been waiting in the real one.
  func run(_ work: () -> Void) { run(at: chain.first?.madeAt ?? Place(#fileID, #line), work) }

  private func draw(
    _ strand: Strand, _ place: Place, refuses: Bool
  ) throws(DeadlockError) -> Wait? {
    if chain.isEmpty { return nil }
    if let main = chain[0] as? MainQueue { main.noteOrder(strand, at: place) }
    return try detector.draw(strand, waitsFor: chain, at: place, refuses: refuses)
  }

  /// Runs a body as its owner.
  ///
  /// - Parameters:
  ///   - caller: Who waits for it; nil if nobody does.
  ///   - wait: That wait; nil if none was drawn.
  private func run<R>(
    from caller: Strand? = nil, _ wait: Wait? = nil, at place: Place, _ body: () throws -> R
  ) rethrows -> R {
    let strand = Strand.current
    let run = strand.record.pointee.run
    // The body of `sync` runs on the caller's thread, but for the main queue's.
    let isInside = caller?.record == strand.record
    detector.grant(chain, to: strand, after: isInside ? wait : nil)
    if !isInside { strand.record.pointee.run = Resource.nextNumber() }
    for queue in chain { queue.hold(strand, at: place, isTry: !isInside) }
    defer {
      // Its turn is over, though the caller's thread has yet to find out.
      if !isInside { detector.erase(wait) }
      for queue in chain { queue.release() }
      strand.record.pointee.run = run
    }
    return try body()
  }
}

/// The main queue: where none of its watched blocks runs, it is held by whoever runs the others, such as the
/// main actor's, and waits for more.
private final class MainQueue: Resource, @unchecked Sendable {
  override var demands: [Demand<Party>] {
    let owner = owner.load(ordering: .relaxed)
    return [Demand(enders: [owner == 0 ? Strand.mainRunner : owner])]
  }

  /// Notes that the strand will take it, on another thread, while it holds what it holds.
  func noteOrder(_ strand: Strand, at place: Place) {
    if strand.record.pointee.push(self, task: strand.task, place: place) {
      detector.noteOrder(strand)
    }
    _ = strand.record.pointee.pop(self)
  }
}

/// A block that waits in a queue, or runs.
private final class Block: @unchecked Sendable {
  // Sendable: the debts are changed under the detector's lock, after `async` has filled the list.
  var debts: [Debt]
  let party: Party = Resource.nextNumber()

  init(debts: [Debt]) { self.debts = debts }

  func own(_ party: Party, _ detector: DeadlockDetector) {
    if debts.isEmpty { return }
    detector.change { for debt in debts { debt.owner = party } }
  }

  /// What it has not kept, it may have handed on to anyone.
  func disown(_ party: Party, _ detector: DeadlockDetector) {
    if debts.isEmpty { return }
    detector.change { for debt in debts where debt.owner == party { debt.owner = nil } }
  }
}
