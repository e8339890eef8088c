// What each pair promises. One suite checks it on every implementation. A requirement that is
// `async` is met by a synchronous method too, so queues, locks and actors share one contract.

/// Counts; no increment is lost.
public protocol Counter: Sendable {
  init()
  func increment() async
  var value: Int { get async }
}

/// Holds money; the balance never falls below zero.
public protocol Account: Sendable {
  init(balance: Int)
  /// Takes the amount out if the balance covers it, and says whether it did.
  func withdraw(_ amount: Int) async -> Bool
  var balance: Int { get async }
}

/// Remembers what was uploaded; every name that was appended is there, once.
public protocol UploadLog: Sendable {
  init()
  func append(_ name: String) async
  var names: [String] { get async }
}

/// Two balances whose total never changes.
public protocol Ledger: Sendable {
  init(checking: Int, savings: Int)
  /// Moves the amount from checking to savings.
  func transfer(_ amount: Int) async
  var total: Int { get async }
}

/// Makes its session when it is first asked for; everyone gets the same one.
public protocol SessionStore: Sendable {
  init()
  var session: Session { get async }
}

/// A connection that is expensive to open, so there should be one.
public final class Session: Sendable {
  public init() {}
}

/// Prints receipts on one roll; the lines of a receipt stay together.
public protocol ReceiptPrinter: Sendable {
  init()
  func printReceipt(for customer: String) async
  var roll: [String] { get async }
}

/// An account whose withdrawals pass an audit that takes time; the balance never falls below zero.
public protocol AuditedAccount: Sendable {
  init(balance: Int)
  func withdraw(_ amount: Int, audit: @Sendable () async -> Bool) async -> Bool
  var balance: Int { get async }
}
