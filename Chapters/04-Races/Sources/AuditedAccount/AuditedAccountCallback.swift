import Dispatch

// Sendable because `money` is read and written on `queue` only.
final class AuditedAccountCallback: @unchecked Sendable {
  private let queue = DispatchQueue(label: "audited account")
  private var money: Int

  init(balance: Int) {
    money = balance
  }

  /// The audit blocks nobody, and between the two blocks others come in.
  func withdraw(
    _ amount: Int, audit: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void,
    completion: @escaping @Sendable (Bool) -> Void
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
