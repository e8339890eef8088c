import Synchronization

public final class AccountMutex: Account {
  private let money: Mutex<Int>

  public init(balance: Int) {
    money = Mutex(balance)
  }

  public func withdraw(_ amount: Int) -> Bool {
    money.withLock { money in
      guard money >= amount else { return false }
      money -= amount
      return true
    }
  }

  public var balance: Int { money.withLock { $0 } }
}
