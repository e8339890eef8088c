// What each pair promises. One suite checks it on every implementation, guarded or not. A requirement
// that is `async` is met by a synchronous method too, so queues, locks and actors share one contract.
//
// Each operation calls `pause` in the middle of its work, so that a demo or a test can stop it there.

/// Counts; no increment is lost.
public protocol Counter: Sendable {
  init()
  func increment(afterReading pause: @Sendable () -> Void) async
  var value: Int { get async }
}

/// Holds money; the balance never falls below zero.
public protocol Account: Sendable {
  init(balance: Int)
  /// Takes the amount out if the balance covers it, and says whether it did.
  func withdraw(_ amount: Int, afterChecking pause: @Sendable () -> Void) async -> Bool
  var balance: Int { get async }
}

/// Remembers what was uploaded; every name that was appended is there, once.
public protocol UploadLog: Sendable {
  init()
  func append(_ name: String, beforeWriting pause: @Sendable () -> Void) async
  var names: [String] { get async }
}

/// Two balances whose total never changes.
public protocol Ledger: Sendable {
  init(checking: Int, savings: Int)
  /// Moves the amount from checking to savings.
  func transfer(_ amount: Int, betweenHalves pause: @Sendable () -> Void) async
  var total: Int { get async }
}

/// Opens its session when it is first asked for; everyone gets the same one.
public protocol SessionStore: Sendable {
  init(open: @escaping @Sendable () -> Session)
  var session: Session { get async }
}

/// A connection that is expensive to open, so there should be one.
public final class Session: Sendable {
  public init() {}
}

/// Prints receipts on one roll; the lines of a receipt stay together.
public protocol ReceiptPrinter: Sendable {
  init()
  func printReceipt(for customer: String, betweenLines pause: @Sendable () -> Void) async
  var roll: [String] { get async }
}

/// An account whose withdrawals pass an audit that takes time; the balance never falls below zero.
public protocol AuditedAccount: Sendable {
  init(balance: Int)
  func withdraw(_ amount: Int, audit: @Sendable () async -> Bool) async -> Bool
  var balance: Int { get async }
}

extension Counter {
  public func increment() async { await increment {} }
}

extension Account {
  public func withdraw(_ amount: Int) async -> Bool { await withdraw(amount) {} }
}

extension UploadLog {
  public func append(_ name: String) async { await append(name) {} }
}

extension Ledger {
  public func transfer(_ amount: Int) async { await transfer(amount) {} }
}

extension ReceiptPrinter {
  public func printReceipt(for customer: String) async { await printReceipt(for: customer) {} }
}
