/// What the strands of one execution share: states, who holds what, what has happened, and what it is called.
struct ObjectTable: ~Copyable {
  /// Where an object was made, which numbers it in every execution.
  private enum Origin: Hashable {
    case inside(Birth)
    case outside(ObjectIdentifier)
    /// Of an object that a strand has made at a place.
    case part(of: StrandID, Place, ordinal: Int, offset: Int)
    case at(UInt)
  }

  private var numbers: [Origin: Int] = [:]
  private var made: [StrandID?: Int] = [:]
  /// Of what blocks; an object that nobody has used yet is not in it.
  private(set) var states: [ObjectID: ObjectState] = [:]
  /// The events that have happened, and in which step.
  var events: [ObjectID: Int] = [:]
  /// Who holds a lock or a resource, and who will make an event happen.
  var holders: [ObjectID: StrandID] = [:]
  /// How often its holder has locked a lock besides.
  var depths: [ObjectID: Int] = [:]
  /// The real locks that were made in this execution.
  private(set) var real: [UnsafeRawPointer: ObjectID] = [:]
  private var names: [ObjectID: String] = [:]
  /// How many of a kind have been named.
  private var kinds: [String: Int] = [:]
  /// What belongs to an owner; the owner is kept, so that no other gets its address.
  private var attachments: [ObjectIdentifier: (owner: AnyObject, state: Any)] = [:]

  // MARK: Identities

  /// A new object, which has the same identity in every execution.
  mutating func make(by maker: StrandID?) -> ObjectID {
    let ordinal = (made[maker] ?? 0) + 1
    made[maker] = ordinal
    return object(from: .inside(Birth(maker: maker, ordinal: ordinal)))
  }

  /// An object that was made outside the scenario and outlives it.
  mutating func object(outside identity: ObjectIdentifier) -> ObjectID {
    object(from: .outside(identity))
  }

  /// A part of an object that a strand has made, by how many it had made there before.
  mutating func object(
    partOf strand: StrandID, place: Place, _ ordinal: Int, offset: Int
  ) -> ObjectID {
    object(from: .part(of: strand, place, ordinal: ordinal, offset: offset))
  }

  /// What has one address in every execution.
  mutating func object(at address: UInt) -> ObjectID { object(from: .at(address)) }

  /// A real lock of the running strand.
  mutating func makeReal(at address: UnsafeRawPointer, by maker: StrandID?) {
    real[address] = make(by: maker)
  }

  /// A real lock is no more.
  mutating func forget(_ address: UnsafeRawPointer) { real[address] = nil }

  private mutating func object(from origin: Origin) -> ObjectID {
    if let number = numbers[origin] { return .variable(number) }
    numbers[origin] = numbers.count
    return .variable(numbers.count - 1)
  }

  // MARK: Names

  /// Names an object or an event, once: by its label, or its kind, with a number from the second of a kind on.
  mutating func name(_ object: ObjectID, kind: String, label: String?) {
    guard names[object] == nil else { return }
    let count = (kinds[kind] ?? 0) + 1
    kinds[kind] = count
    names[object] = label.map { "\(kind) \($0)" } ?? (count == 1 ? kind : "\(kind) \(count)")
  }

  /// Names an object as its user does.
  mutating func name(_ object: ObjectID, _ name: String) { names[object] = name }

  /// What an object is called in a report.
  func name(of object: ObjectID) -> String { names[object] ?? "something" }

  func isNamed(_ object: ObjectID) -> Bool { names[object] != nil }

  /// Who holds a lock or a resource, or will make an event happen.
  func holders(of object: ObjectID) -> [StrandID] {
    if case .sharedLock(let readers, let writer) = states[object] {
      return readers + (writer.map { [$0] } ?? [])
    }
    return holders[object].map { [$0] } ?? []
  }

  // MARK: States

  /// Does an operation that is ready.
  ///
  mutating func apply(
    _ operation: VisibleOperation, by strand: StrandID
  ) -> VisibleOperation.Result {
    let result = operation.apply(to: &states)
    guard result == .done else { return result }
    for use in operation.uses {
      switch use.action {
      case .acquire, .attempt: holders[use.object] = strand
      case .release: holders[use.object] = nil
      default: break
      }
    }
    return result
  }

  /// When an operation can be done.
  func readiness(of operation: VisibleOperation) -> VisibleOperation.Readiness {
    guard operation.events.allSatisfy({ events[$0] != nil }) else { return .later }
    return operation.readiness { states[$0.object] ?? $0.initial }
  }

  /// The objects and events that keep an operation from being done.
  func hindrances(of operation: VisibleOperation) -> [ObjectID] {
    operation.events.filter { events[$0] == nil }
      + operation.uses.filter { !(states[$0.object] ?? $0.initial).permits($0.action) }
      .map(\.object)
  }

  // MARK: Attachments

  /// What belongs to an owner in this execution.
  func attachment(of owner: AnyObject) -> Any? { attachments[ObjectIdentifier(owner)]?.state }

  mutating func attach(_ state: Any, to owner: AnyObject) {
    attachments[ObjectIdentifier(owner)] = (owner, state)
  }

  /// What belongs to owners; releasing it may run code of the scenario.
  mutating func takeAttachments() -> [(owner: AnyObject, state: Any)] {
    defer { attachments = [:] }
    return Array(attachments.values)
  }

  /// Forgets the execution and keeps the identities.
  mutating func reset() {
    if !made.isEmpty { made.removeAll(keepingCapacity: true) }
    if !states.isEmpty { states.removeAll(keepingCapacity: true) }
    if !events.isEmpty { events.removeAll(keepingCapacity: true) }
    if !real.isEmpty { real.removeAll(keepingCapacity: true) }
    if !depths.isEmpty { depths.removeAll(keepingCapacity: true) }
    if !holders.isEmpty { holders.removeAll(keepingCapacity: true) }
    if !names.isEmpty {
      names.removeAll(keepingCapacity: true)
      kinds.removeAll(keepingCapacity: true)
    }
  }
}
