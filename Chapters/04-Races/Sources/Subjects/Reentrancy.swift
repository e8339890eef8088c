import Dispatch
import Workbook

extension Subject {
  static let reentrancy = Subject(
    "reentrancy",
    asks: "A and B each withdraw 80 from 100, after an audit that takes time. What is the balance?",
    right: .allowed("balance 20"),
    implementations: [
      .before("serial queue, blocked by the audit") {
        let (account, pause) = (Blocked.Account(balance: 100), Pause())
        return Encounter(over: account, stoppedAt: .call(pause)) { _ in
          account.withdraw(80) {
            pause.block()
            return true
          }
        } outcome: { _, _ in
          "balance \(account.balance)"
        }
      }
      .code("AuditedAccountSerialQueue.swift", "queue.sync"),
      .before(
        "serial queue, audit with a callback",
        .surprising("balance -60", "the queue is free between the two blocks")
      ) {
        let (account, pause) = (CalledBack.Account(balance: 100), Pause())
        return Encounter(over: account, stoppedAt: .call(pause)) { _ in
          let done = DispatchSemaphore(value: 0)
          account.withdraw(80) { completion in
            DispatchQueue.global().async {
              pause.block()
              completion(true)
            }
          } completion: { _ in
            done.signal()
          }
          done.wait()
        } outcome: { _, _ in
          "balance \(account.balance)"
        }
      }
      .code("AuditedAccountCallback.swift", "audit { isApproved"),
      .after(
        "actor, await between check and act",
        .surprising("balance -60", "the actor is free during the await")
      ) { withdrawals(from: Reentrant.Account(balance: 100)) }
      .code("AuditedAccountReentrantActor.swift", "guard balance"),
      .after(
        "actor, check and act in one step", .allowed("balance 20", "B finds 20, and is refused"),
        meanwhile: .comesIn
      ) { withdrawals(from: InOneStep.Account(balance: 100)) }
      .code("AuditedAccountActor.swift", "guard balance"),
    ])
}

/// An account whose withdrawals pass an audit that takes time; the balance never falls below zero.
private protocol Auditing: AnyObject, Sendable {
  func withdraw(_ amount: Int, audit: @Sendable () async -> Bool) async -> Bool
  var balance: Int { get async }
}

extension Reentrant.Account: Auditing {}
extension InOneStep.Account: Auditing {}

/// A is stopped in its audit.
private func withdrawals(from account: some Auditing) -> Encounter {
  let pause = Pause()
  return Encounter(over: account, stoppedAt: .call(pause)) { _ in
    await account.withdraw(80) {
      await pause()
      return true
    }
  } outcome: { _, _ in
    "balance \(await account.balance)"
  }
}
