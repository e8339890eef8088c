/// That someone will end a wait: signal a semaphore, or leave a group.
///
/// Whoever waits for it waits for its owner, which makes certain what is otherwise suspected at most; and when
/// it is dropped without being kept, no one is left to keep it. After Voss and Sarkar, "An ownership policy
/// and deadlock detector for promises" (2021).
public final class Promise: Sendable {
  private let resource: Debtor
  let debt: Debt
  private let fulfil: @Sendable () -> Void

  init(_ resource: Debtor, _ debt: Debt, fulfil: @escaping @Sendable () -> Void) {
    self.resource = resource
    self.debt = debt
    self.fulfil = fulfil
  }

  deinit {
    guard !debt.isKept else { return }
    resource.detector.change(resource) { resource.breakOff(debt) }
  }

  /// Makes the calling thread or task the one that will keep it.
  public func own() {
    let party = Strand.current.party
    resource.detector.change(resource) { debt.owner = party }
  }

  /// Signals the semaphore, or leaves the group; once.
  public func keep() {
    resource.detector.change {
      precondition(!debt.isKept, "a promise was kept twice")
      debt.isKept = true
    }
    fulfil()
  }
}

/// What a resource knows of a promise.
final class Debt: @unchecked Sendable {
  // Sendable: all is used under the detector's lock, but for the end of the promise, when nobody else has it.
  /// The party that will keep it, if that is known.
  var owner: Party?
  var isKept = false

  /// Who can keep it; nil if anyone may be the one.
  var enders: [Party]? { owner.map { [$0] } }
}

/// Something that others have promised to bring about. What it keeps is used under the detector's lock.
class Debtor: Resource, @unchecked Sendable {
  var debts: [Debt] = []
  /// Whether a promise was dropped without being kept.
  private(set) var isBroken = false

  /// Whether anyone has yet to keep a promise, or will not.
  final var hasPromises: Bool { isBroken || !debts.isEmpty }

  /// Notes that a promise was dropped.
  func breakOff(_ debt: Debt) {
    debts.removeAll { $0 === debt }
    isBroken = true
  }
}

/// Something that is brought about from outside: anyone may, unless all who will are known.
class Event: Debtor, @unchecked Sendable {
  /// Whether nobody else will.
  var isClosed = false

  override var demands: [Demand<Party>] { [debtDemand] }

  /// That one of the debts is paid.
  final var debtDemand: Demand<Party> {
    let enders = debts.map(\.enders)
    if enders.contains(where: { $0 == nil }) || (!hasPromises && !isClosed) {
      return .byAnyone
    }
    return Demand(
      enders: enders.flatMap { $0! },
      doubt: isClosed ? nil : "\(name) may be ended by others than those that have promised to")
  }
}
