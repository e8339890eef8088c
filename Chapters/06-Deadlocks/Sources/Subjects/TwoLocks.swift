import Workbook

extension Subject {
  static let twoLocks = Subject(
    "two-locks",
    asks: "A pays B and B pays A at the same time; each purse has a lock. What happens?",
    right: .allowed("70 and 130"),
    implementations: [
      .before(
        "NSLock, payer first", .deadlock("each holds one lock and waits for the other")
      ) { transfers(LockedCrosswise.Purse.init) }
      .code("TransferCrosswise.swift", "guard money")
      .watched("deadlock, confirmed: A, B", "before A blocks")
      .found(
        "a cycle of 2: A waits for NSLock of Purse 2, held by B; B waits for NSLock of Purse, held "
          + "by A"),
      .before("the same, B after A", .allowed("70 and 130")) { _ in
        let purses = (1...2).map { LockedCrosswise.Purse(number: $0, balance: 100) }
        await blocking { purses[0].transfer(50, to: purses[1]) }
        await blocking { purses[1].transfer(20, to: purses[0]) }
        return "\(purses[0].balance) and \(purses[1].balance)"
      }
      .code("TransferCrosswise.swift", "guard money")
      .notExplored("nobody meets anybody")
      .watched("70 and 130; lock order inversion, potential", "nobody waits in this run"),
      .before("NSLock, lower number first") { transfers(Locked.Purse.init) }
        .code("TransferLock.swift", "let (first, second)"),
      .after(
        "Mutex, payer first",
        .deadlock("the kernel finds the cycle, and the message calls it recursive")
          .played(as: "fatal error")
      ) { transfers(MutexedCrosswise.Purse.init) }
      .code("TransferCrosswiseMutex.swift", "guard own")
      .watched("deadlock, confirmed: A, B", "before A blocks")
      .found(
        "a cycle of 2: A waits for Mutex 2, held by B; B waits for Mutex, held by A"),
      .after("Mutex, one at a time") { transfers(Mutexed.Purse.init) }
        .code("TransferMutex.swift", "guard isTaken"),
      .after("actor") { transfers(Isolated.Purse.init) }
        .code("TransferActor.swift", "guard balance"),
    ])
}

/// Holds money; what one purse pays, the other gets, and no balance falls below zero.
private protocol Paying: AnyObject, Sendable {
  func transfer(_ amount: Int, to other: Self) async
  var balance: Int { get async }
}

extension Locked.Purse: Paying {}
extension LockedCrosswise.Purse: Paying {}
extension Mutexed.Purse: Paying {}
extension MutexedCrosswise.Purse: Paying {}
extension Isolated.Purse: Paying {}

/// A is stopped when it has its own purse, before it takes money out.
private func transfers<P: Paying>(
  _ make: (_ number: Int, _ balance: Int) -> P
) -> Encounter {
  let purses = (1...2).map { make($0, 100) }
  return Encounter(over: purses[0], stoppedAt: .change(1)) {
    await purses[0].transfer(50, to: purses[1])
  } by: {
    await purses[1].transfer(20, to: purses[0])
  } outcome: { _, _ in
    "\(await purses[0].balance) and \(await purses[1].balance)"
  }
}
