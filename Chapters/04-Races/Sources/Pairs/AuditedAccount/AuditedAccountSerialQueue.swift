import Dispatch

extension Blocked {
  // Sendable because `money` is read and written on `queue` only.
  final class Account: @unchecked Sendable {
    private let queue = DispatchQueue(label: "account")
    private var money: Int

    init(balance: Int) {
      money = balance
    }

    /// The audit blocks the queue, and with it every other caller; so nothing comes between.
    func withdraw(_ amount: Int, audit: @Sendable () -> Bool) -> Bool {
      queue.sync {
        guard money >= amount, audit() else { return false }
        money -= amount
        return true
      }
    }

    var balance: Int { queue.sync { money } }
  }
}
