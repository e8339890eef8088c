@testable import Interleaving

/// An account that can be overdrawn: it is free while it awaits between check and act.
private actor ReentrantAccount {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}

/// Two withdrawals of 80 from 100: 20 is left, or −60.
@Sendable func withdrawals() async -> Int {
  let account = ReentrantAccount()
  async let first: Void = account.withdraw(80)
  async let second: Void = account.withdraw(80)
  _ = await (first, second)
  return await account.balance
}
