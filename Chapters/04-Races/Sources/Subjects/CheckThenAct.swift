import Workbook

extension Subject {
  static let checkThenAct = Subject(
    "check-then-act",
    asks: "A and B each withdraw 80 from 100. What is the balance?",
    right: .allowed("1 paid, balance 20"),
    implementations: [
      .before(
        "plain variable",
        .surprising("2 paid, balance -60", "both checked before either took"),
        .surprising("2 paid, balance 20", "besides, one of them overwrites what the other wrote")
          .onlyExplored,
        .race
      ) { withdrawals(from: Plain.Account(balance: 100)) }
      .code("AccountPlain.swift", "guard balance"),
      .before("serial queue") { withdrawals(from: Queued.Account(balance: 100)) }
        .code("AccountSerialQueue.swift", "queue.sync"),
      .before("NSLock") { withdrawals(from: Locked.Account(balance: 100)) }
        .code("AccountLock.swift", "lock.withLock"),
      .after("Mutex") { withdrawals(from: Mutexed.Account(balance: 100)) }
        .code("AccountMutex.swift", "money.withLock"),
      .after("actor") { withdrawals(from: Isolated.Account(balance: 100)) }
        .code("AccountActor.swift", "actor Account"),
      .after(
        "atomic, compare and exchange",
        .allowed("1 paid, balance 20", "A finds its check stale, and checks again"),
        meanwhile: .comesIn
      ) { withdrawals(from: Lockfree.Account(balance: 100), stoppedAt: .atomic(2)) }
      .code("AccountAtomic.swift", "compareExchange"),
    ])
}

/// Holds money; the balance never falls below zero.
private protocol Paying: AnyObject, Sendable {
  /// Takes the amount out if the balance covers it, and says whether it did.
  func withdraw(_ amount: Int) async -> Bool
  var balance: Int { get async }
}

extension Plain.Account: Paying {}
extension Queued.Account: Paying {}
extension Locked.Account: Paying {}
extension Mutexed.Account: Paying {}
extension Isolated.Account: Paying {}
extension Lockfree.Account: Paying {}

/// A is stopped between its check and its act.
private func withdrawals(
  from account: some Paying, stoppedAt stop: Stop = .change(1)
) -> Encounter {
  Encounter(over: account, stoppedAt: stop) { _ in
    await account.withdraw(80)
  } outcome: { isPaidToA, isPaidToB in
    "\([isPaidToA, isPaidToB].count { $0 }) paid, balance \(await account.balance)"
  }
}
