import Dispatch

// Sendable because `money` is read and written on `queue` only.
public final class AuditedAccountSerialQueue: @unchecked Sendable {
  private let queue = DispatchQueue(label: "audited account")
  private var money: Int

  public init(balance: Int) {
    money = balance
  }

  /// The audit blocks the queue, and with it every other caller; so nothing comes between.
  public func withdraw(_ amount: Int, audit: @Sendable () -> Bool) -> Bool {
    queue.sync {
      guard money >= amount, audit() else { return false }
      money -= amount
      return true
    }
  }

  public var balance: Int { queue.sync { money } }
}
