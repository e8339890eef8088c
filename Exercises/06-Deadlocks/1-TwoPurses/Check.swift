import ControlledDispatch
import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Transfers: Sendable {
  init()
  func transfer(_ amount: Int, from payer: Account, to payee: Account)
  func total(of accounts: [Account]) -> Int
}

extension Bank: Transfers {}

private let everyClass = Strategy.reduced(assuming: .controlledSharing)

@Sendable private func accounts(_ money: Int...) -> [Account] {
  money.enumerated().map { Account(number: $0 + 1, money: $1) }
}

@Test func `two who pay each other both do`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, steps: 200, allowing: [[70, 130]].contains
  ) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100)
    strands(
      { bank.transfer(50, from: accounts[0], to: accounts[1]) },
      { bank.transfer(20, from: accounts[1], to: accounts[0]) })
    return accounts.map { account in account.lock.withLock { account.money } }
  }
  exploration.expectNoFailures()
}

@Test func `three who pay one another in a ring all do`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, steps: 200, allowing: [[100, 100, 100]].contains
  ) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100, 100)
    strands(
      (0..<3).map { index in
        { bank.transfer(10, from: accounts[index], to: accounts[(index + 1) % 3]) }
      })
    return accounts.map { account in account.lock.withLock { account.money } }
  }
  exploration.expectNoFailures()
}

@Test func `no account is overdrawn`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, steps: 200, allowing: [20].contains
  ) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 0)
    strands(
      { bank.transfer(80, from: accounts[0], to: accounts[1]) },
      { bank.transfer(80, from: accounts[0], to: accounts[1]) })
    return accounts[0].lock.withLock { accounts[0].money }
  }
  exploration.expectNoFailures()
}

@Test func `a total during a transfer misses nothing, in whatever order it is asked for`() async {
  for order in [[0, 1], [1, 0]] {
    let exploration = await explore(
      everyClass, stopsAtFailure: true, steps: 200, allowing: [200].contains
    ) {
      let bank: any Transfers = Bank()
      let accounts = accounts(100, 100)
      let seen = Shared(0, "seen")
      strands(
        { bank.transfer(50, from: accounts[0], to: accounts[1]) },
        { seen.value = bank.total(of: order.map { accounts[$0] }) })
      return seen.value
    }
    exploration.expectNoFailures()
  }
}

@Test func `a total while money goes there and back misses nothing`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, steps: 400, allowing: [200].contains
  ) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100)
    let seen = Shared(0, "seen")
    strands(
      {
        for payer in [0, 1, 0] {
          bank.transfer(50, from: accounts[payer], to: accounts[1 - payer])
        }
      },
      { seen.value = bank.total(of: accounts) })
    return seen.value
  }
  exploration.expectNoFailures()
}

@Test func `an account that pays itself has what it had`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, steps: 200, allowing: [100].contains
  ) {
    let bank: any Transfers = Bank()
    let account = accounts(100)[0]
    bank.transfer(30, from: account, to: account)
    return account.lock.withLock { account.money }
  }
  exploration.expectNoFailures()
}

@Test func `a transfer that has to wait holds up no other accounts`() async {
  let exploration = await explore(
    everyClass, stopsAtFailure: true, steps: 200, allowing: [[90, 110, 90, 110]].contains
  ) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100, 100, 100)
    let isDone = DispatchSemaphore(value: 0)
    accounts[2].lock.lock()
    Thread.detachNewThread {
      bank.transfer(10, from: accounts[2], to: accounts[3])
      isDone.signal()
    }
    bank.transfer(10, from: accounts[0], to: accounts[1])
    accounts[2].lock.unlock()
    isDone.wait()
    return accounts.map { account in account.lock.withLock { account.money } }
  }
  exploration.expectNoFailures()
}
