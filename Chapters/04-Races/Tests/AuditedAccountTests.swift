import Testing
import Workbook

@testable import Races

@Suite struct AuditedAccountTests {
  @Test(arguments: [false, true])
  func `one withdrawal after the other is right on every side`(isReentrant: Bool) async {
    let account: any AuditedAccount =
      isReentrant
      ? AuditedAccountReentrantActor(balance: 100) : AuditedAccountActor(balance: 100)
    #expect(await account.withdraw(80) {})
    #expect(!(await account.withdraw(80) {}))
    #expect(await account.balance == 20)

    let queue = AuditedAccountSerialQueue(balance: 100)
    #expect(queue.withdraw(80) {})
    #expect(!queue.withdraw(80) {})
    #expect(queue.balance == 20)
  }

  @Test func `an actor runs other calls while it waits, and the check is stale`() async {
    let account = AuditedAccountReentrantActor(balance: 100)
    let second = await withdrawTwice(from: account)
    #expect(second)
    #expect(await account.balance == -60)
  }

  @Test func `checked and taken in one step, the second withdrawal is refused`() async {
    let account = AuditedAccountActor(balance: 100)
    let second = await withdrawTwice(from: account)
    #expect(!second)
    #expect(await account.balance == 20)
  }

  /// Withdraws 80, and 80 again while the first waits for its approval; returns whether the second
  /// was paid.
  private func withdrawTwice(from account: some AuditedAccount) async -> Bool {
    let isAsked = Gate()
    let isApproved = Gate()
    async let first = account.withdraw(80) {
      isAsked.open()
      await isApproved.wait()
    }
    await isAsked.wait()
    let second = await account.withdraw(80) {}
    isApproved.open()
    #expect(await first)
    return second
  }
}
