#if EXPLORED
  import ControlledDispatch
#else
  import Interleaving
#endif

// It is Sendable because `Shared` says so of itself, and that is false on purpose: this races. It runs in
// a child process, or under the explorer, only.
public final class AccountUnsynchronised: Account {
  private let money: Shared<Int>

  public init(balance: Int) {
    money = Shared(balance, "money")
  }

  public func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) -> Bool {
    guard money.value >= amount else { return false }
    pause()
    money.value -= amount
    return true
  }

  public var balance: Int { money.value }
}
