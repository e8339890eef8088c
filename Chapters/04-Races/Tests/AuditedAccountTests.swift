import Testing
import Workbook

@testable import Races

@Suite struct AuditedAccountTests {
  @Test(arguments: [false, true])
  func `one withdrawal after the other is right on every side`(isReentrant: Bool) async {
    let account: any AuditedAccount =
      isReentrant
      ? AuditedAccountReentrantActor(balance: 100) : AuditedAccountActor(balance: 100)
    #expect(await account.withdraw(80) { true })
    #expect(!(await account.withdraw(80) { true }))
    #expect(await account.balance == 20)

    let queue = AuditedAccountSerialQueue(balance: 100)
    #expect(queue.withdraw(80) { true })
    #expect(!queue.withdraw(80) { true })
    #expect(queue.balance == 20)

    let callback = AuditedAccountCallback(balance: 100)
    #expect(await callback.withdraw(80) { finish in finish(true) })
    #expect(!(await callback.withdraw(80) { finish in finish(true) }))
    #expect(callback.balance == 20)
  }

  @Test func `a withdrawal that the audit refuses leaves the balance as it was`() async {
    let actor = AuditedAccountActor(balance: 100)
    #expect(!(await actor.withdraw(80) { false }))
    #expect(await actor.balance == 100)

    let queue = AuditedAccountSerialQueue(balance: 100)
    #expect(!queue.withdraw(80) { false })
    #expect(queue.balance == 100)

    let callback = AuditedAccountCallback(balance: 100)
    #expect(!(await callback.withdraw(80) { finish in finish(false) }))
    #expect(callback.balance == 100)
  }

  @Test func `a blocked queue keeps others out during the audit`() async {
    let account = AuditedAccountSerialQueue(balance: 100)
    #expect(await withdrawalsDuringAudit(from: account) == "B waits, balance 20")
  }

  @Test func `a queue with a callback lets others in, and the check is stale`() async {
    let account = AuditedAccountCallback(balance: 100)
    #expect(await withdrawalsDuringAudit(from: account) == "B comes in, balance -60")
  }

  @Test func `an actor lets others in at its await, and the check is stale`() async {
    let account = AuditedAccountReentrantActor(balance: 100)
    #expect(await withdrawalsDuringAudit(from: account) == "B comes in, balance -60")
  }

  @Test func `checked and taken in one step, the second withdrawal is refused`() async {
    let account = AuditedAccountActor(balance: 100)
    #expect(await withdrawalsDuringAudit(from: account) == "B comes in, balance 20")
  }

  @Test func `the price of taking first: B is turned away, though A's audit refuses`() async {
    let account = AuditedAccountActor(balance: 100)
    let outcome = await withdrawalsDuringAudit(from: account, isApproved: false)
    #expect(outcome == "B comes in, balance 100")
  }
}
