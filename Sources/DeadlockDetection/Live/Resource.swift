import Foundation
import Synchronization

/// Something that can be waited for.
class Resource: @unchecked Sendable {
  // Sendable: `place` is written by the owner, after it became so and before it waits for anything else, and
  // read by the owner, or under the detector's lock while the owner waits. What subclasses keep is used under
  // the detector's lock, or under one of its own.
  private static let numbers = Atomic<UInt>(0)

  /// A number that nothing else has.
  static func nextNumber() -> UInt { numbers.add(1, ordering: .relaxed).newValue }

  let detector: DeadlockDetector
  let number = Resource.nextNumber()
  let kind: String
  let madeAt: Place
  let orderClass: UInt
  private let key = ThreadRecord.key
  private let givenName: String?
  /// The type whose property it is, or the function that has made it.
  private let maker: StaticString?
  /// Whether the thread owns what a task on it takes.
  let isThreadOwned: Bool
  /// The party that holds it; 0 if none does, or if that is kept elsewhere.
  let owner = Atomic<Party>(0)
  private(set) var place: Place
  /// The address of the record among whose entries it is; 0 if there is none, or the thread has ended.
  private let record = Atomic<UInt>(0)
  /// The party whose end has left it held for ever.
  private var abandonedBy: Party = 0
  /// Whether the lock order knows it. Used under the detector's lock.
  var isOrdered = false
  /// How many parties wait for it. Changed under the detector's lock.
  let waiterCount = Atomic(0)

  init(
    _ kind: String, name: String?, class orderClass: String? = nil, isThreadOwned: Bool = false,
    detector: DeadlockDetector, madeIn maker: StaticString? = nil, at place: Place
  ) {
    self.maker = maker
    self.kind = kind
    self.detector = detector
    self.isThreadOwned = isThreadOwned
    givenName = name
    madeAt = place
    self.place = place
    self.orderClass = detector.orderClass(orderClass ?? "\(kind) \(place.file):\(place.line)")
  }

  deinit {
    precondition(
      owner.load(ordering: .relaxed) == 0 || abandonedBy != 0, "\(name) is freed while it is held")
    if isOrdered { detector.forget(self) }
  }

  /// What it is called in a report: as it was named; else by its maker, as in "lock of Purse", or by its place; and from
  /// the second on that reports speak of with a number.
  var name: String {
    if let givenName { return "\(kind) “\(givenName)”" }
    let base = origin ?? "\(kind) made at \(madeAt)"
    let alike = Self.told.withLock { told in
      if told[base]?.contains(number) != true { told[base, default: []].append(number) }
      return told[base]!.firstIndex(of: number)! + 1
    }
    if alike == 1 { return base }
    return origin.map { "\($0) \(alike)" } ?? "\(kind) \(alike) made at \(madeAt)"
  }

  /// Of those that are called by their makers, the numbers of those that reports have spoken of.
  private static let told = Mutex<[String: [UInt]]>([:])

  /// As in: lock of Purse. As in: semaphore in download.
  private var origin: String? {
    guard let maker = maker?.description else { return nil }
    let name = maker.prefix { $0 != "(" }
    // Names in backquotes are sentences.
    if name == "init" || name.contains(" ") { return nil }
    return name.count < maker.count ? "\(kind) in \(name)" : "\(kind) of \(name)"
  }

  /// What has to happen before a wait for it can end. Called under the detector's lock.
  var demands: [Demand<Party>] {
    let owner = owner.load(ordering: .relaxed)
    if owner == 0 { return [] }
    return [Demand(enders: owner == abandonedBy ? [] : [owner])]
  }

  /// Where a party took it. Called under the detector's lock, while the party waits.
  func place(takenBy party: Party) -> Place? {
    owner.load(ordering: .relaxed) == party ? place : nil
  }

  /// Whether those who wait for nothing but it may be suspected.
  var isSuspectAlone: Bool { true }

  // MARK: Taking and releasing

  /// Who runs at present.
  @inline(__always) final var strand: Strand { .at(key) }

  /// Notes that the strand has taken it, without a wait.
  ///
  /// - Parameter isTry: Whether the strand would not have waited, so that the order of taking is no matter.
  @inline(__always) final func take(_ strand: Strand, at place: Place, isTry: Bool = false) {
    own(strand)
    hold(strand, at: place, isTry: isTry)
  }

  /// Makes the strand its owner.
  @inline(__always) final func own(_ strand: Strand) {
    owner.store(isThreadOwned ? strand.record.pointee.party : strand.party, ordering: .relaxed)
  }

  /// Notes that the strand, which is its owner, holds it.
  @inline(__always) final func hold(_ strand: Strand, at place: Place, isTry: Bool = false) {
    self.place = place
    thread = strand.record
    if strand.record.pointee.hasStrays.load(ordering: .relaxed) { Strays.purge(strand.record) }
    if strand.record.pointee.push(self, task: strand.task, place: place), !isTry {
      detector.noteOrder(strand)
    }
  }

  /// Notes that the owner is about to release it.
  @inline(__always) final func release() {
    let record = ThreadRecord.at(key)
    // Another entry on this thread may be a stray, and the one that counts elsewhere.
    if thread != record || !record.pointee.pop(self) { releaseElsewhere() }
    owner.store(0, ordering: .relaxed)
  }

  /// The record among whose entries it is; nil if there is none, or the thread has ended.
  final var thread: UnsafeMutablePointer<ThreadRecord>? {
    get { UnsafeMutablePointer(bitPattern: record.load(ordering: .relaxed)) }
    set { record.store(UInt(bitPattern: newValue), ordering: .relaxed) }
  }

  @inline(never) private func releaseElsewhere() {
    guard owner.load(ordering: .relaxed) != 0 else { return }
    Strays.add(self)
    let strand = Strand.current
    if strand.task == owner.load(ordering: .relaxed) { reportMoved(strand) }
  }

  /// Reports that a strand comes to release it on another thread than it was taken on.
  final func reportMoved(_ strand: Strand) {
    detector.reportHeldAcrossAwait(self, takenAt: place, by: strand, at: place, awaiting: nil)
  }

  /// Notes that the party that holds it has ended.
  final func abandon(_ party: Party) {
    detector.change(self) { abandonedBy = party }
  }
}
