import ControlledDispatch
import ExerciseChecking
import Interleaving
import Testing

@testable import Answer

/// What the check uses.
private protocol Transfers: Sendable {
  init()
  func transfer(_ amount: Int, from payer: Account, to payee: Account)
  func total(of accounts: [Account]) -> Int
}

extension Bank: Transfers {}

/// What is in some accounts.
@Sendable private func money(in accounts: [Account]) -> String {
  accounts.map { account in "\(account.lock.withLock { account.money })" }.joined(separator: " ")
}

@Sendable private func accounts(_ money: Int...) -> [Account] {
  money.enumerated().map { Account(number: $0 + 1, money: $1) }
}

@Test func `two who pay each other both do`() async {
  await everyOrder(gives: "70 130", steps: 200) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100)
    strands(
      { bank.transfer(50, from: accounts[0], to: accounts[1]) },
      { bank.transfer(20, from: accounts[1], to: accounts[0]) })
    return money(in: accounts)
  }
}

@Test func `three who pay one another in a ring all do`() async {
  await everyOrder(gives: "100 100 100", steps: 200) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100, 100)
    strands(
      (0..<3).map { index in
        { bank.transfer(10, from: accounts[index], to: accounts[(index + 1) % 3]) }
      })
    return money(in: accounts)
  }
}

@Test func `no account is overdrawn`() async {
  await everyOrder(gives: 20, steps: 200) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 0)
    strands(
      { bank.transfer(80, from: accounts[0], to: accounts[1]) },
      { bank.transfer(80, from: accounts[0], to: accounts[1]) })
    return accounts[0].lock.withLock { accounts[0].money }
  }
}

@Test func `a total during a transfer misses nothing, in whatever order it is asked for`() async {
  for order in [[0, 1], [1, 0]] {
    await everyOrder(gives: 200, steps: 200) {
      let bank: any Transfers = Bank()
      let accounts = accounts(100, 100)
      let seen = Shared(0, "seen")
      strands(
        { bank.transfer(50, from: accounts[0], to: accounts[1]) },
        { seen.value = bank.total(of: order.map { accounts[$0] }) })
      return seen.value
    }
  }
}

@Test func `a total of some accounts counts no money of others`() async {
  await everyOrder(gives: 200, steps: 300) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100, 100, 100)
    let seen = Shared(0, "seen")
    strands(
      { bank.transfer(50, from: accounts[2], to: accounts[3]) },
      { seen.value = bank.total(of: [accounts[0], accounts[1]]) })
    return seen.value
  }
}

@Test func `a total while money goes there and back misses nothing`() async {
  await everyOrder(gives: 200, steps: 400) {
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
}

@Test func `an account that pays itself has what it had`() async {
  await everyOrder(gives: 100, steps: 200) {
    let bank: any Transfers = Bank()
    let account = accounts(100)[0]
    bank.transfer(30, from: account, to: account)
    return account.lock.withLock { account.money }
  }
}

@Test func `a transfer that has to wait holds up no other accounts`() async {
  await everyOrder(gives: "total 200; 90 110 90 110", steps: 200) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100, 100, 100)
    let isDone = DispatchSemaphore(value: 0)
    accounts[2].lock.lock()
    Thread.detachNewThread {
      bank.transfer(10, from: accounts[2], to: accounts[3])
      isDone.signal()
    }
    bank.transfer(10, from: accounts[0], to: accounts[1])
    let total = bank.total(of: [accounts[0], accounts[1]])
    accounts[2].lock.unlock()
    isDone.wait()
    return "total \(total); \(money(in: accounts))"
  }
}

@Test func `a payer that does not have the amount pays nothing`() async {
  await everyOrder(gives: "100 0, then 0 100, then 100 0", steps: 200) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 0)
    var texts: [String] = []
    for (amount, payer) in [(101, 0), (100, 0), (100, 1)] {
      bank.transfer(amount, from: accounts[payer], to: accounts[1 - payer])
      texts.append(money(in: accounts))
    }
    return texts.joined(separator: ", then ")
  }
}

@Test func `a total of three, in an order of its own, waits for no transfer for ever`() async {
  await everyOrder(gives: 300, steps: 300) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100, 100)
    let seen = Shared(0, "seen")
    strands(
      { bank.transfer(10, from: accounts[0], to: accounts[2]) },
      { bank.transfer(20, from: accounts[2], to: accounts[1]) },
      { seen.value = bank.total(of: [accounts[1], accounts[2], accounts[0]]) })
    return seen.value
  }
}

@Test func `two totals at the same time, and one of no accounts`() async {
  await everyOrder(gives: "200, 200 and 0", steps: 300) {
    let bank: any Transfers = Bank()
    let accounts = accounts(100, 100)
    let seen = [Shared(0, "seen by A"), Shared(0, "seen by B")]
    strands(
      { seen[0].value = bank.total(of: accounts) },
      { seen[1].value = bank.total(of: accounts.reversed()) })
    return "\(seen[0].value), \(seen[1].value) and \(bank.total(of: []))"
  }
}
