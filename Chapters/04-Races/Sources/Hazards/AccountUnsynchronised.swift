// The claim of Sendable is false on purpose: this runs in a child process only.
final class AccountUnsynchronised: Account, @unchecked Sendable {
  private(set) var balance: Int

  init(balance: Int) {
    self.balance = balance
  }

  func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    guard balance >= amount else { return false }
    pause()
    balance -= amount
    return true
  }
}
