import Dispatch

extension Queued {
  // Sendable because `money` is read and written on `queue` only.
  final class Account: @unchecked Sendable {
    private let queue = DispatchQueue(label: "account")
    private var money: Int

    init(balance: Int) {
      money = balance
    }

    func withdraw(_ amount: Int) -> Bool {
      queue.sync {
        guard money >= amount else { return false }
        money -= amount
        return true
      }
    }

    var balance: Int { queue.sync { money } }
  }
}
