import Dispatch

extension CalledBack {
  /// An audit calls back, on whatever queue or thread it likes, with whether it approves.
  typealias Audit = @Sendable (_ completion: @escaping @Sendable (Bool) -> Void) -> Void

  // Sendable because `money` is read and written on `queue` only.
  final class Account: @unchecked Sendable {
    private let queue = DispatchQueue(label: "account")
    private var money: Int

    init(balance: Int) {
      money = balance
    }

    /// The audit blocks nobody, and between the two blocks others come in.
    func withdraw(
      _ amount: Int, audit: @escaping Audit, completion: @escaping @Sendable (Bool) -> Void
    ) {
      queue.async {
        guard self.money >= amount else { return completion(false) }
        audit { isApproved in
          self.queue.async {
            if isApproved { self.money -= amount }
            completion(isApproved)
          }
        }
      }
    }

    var balance: Int { queue.sync { money } }
  }
}
