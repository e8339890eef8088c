import Foundation
import Synchronization
import Workbook

// One schedule for each contract, for the racy implementation and for every cure: A is stopped in the
// middle of its work, and B tries. Each returns the outcome. Nothing is said before both are done: a
// transcript takes a lock, which would order what races.

func additions(to counter: some Counter, isUnguarded: Bool = false) async -> String {
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    await counter.increment(afterReading: pause)
  } by: {
    await counter.increment {}
  }
  return "\(interruption.rawValue), \(2 - (await counter.value)) lost"
}

func withdrawals<A: Account>(from type: A.Type, isUnguarded: Bool = false) async -> String {
  let account = type.init(balance: 100)
  let paid = Atomic(0)
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    if await account.withdraw(80, afterChecking: pause) { paid.add(1, ordering: .relaxed) }
  } by: {
    if await account.withdraw(80) { paid.add(1, ordering: .relaxed) }
  }
  return "\(interruption.rawValue), \(paid.load(ordering: .relaxed)) paid, "
    + "balance \(await account.balance)"
}

func appends(to log: some UploadLog, isUnguarded: Bool = false) async -> String {
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    await log.append("a.jpg", beforeWriting: pause)
  } by: {
    await log.append("b.jpg") {}
  }
  return "\(interruption.rawValue), \(2 - (await log.names.count)) lost"
}

func readings<L: Ledger>(of type: L.Type, isUnguarded: Bool = false) async -> String {
  let ledger = type.init(checking: 100, savings: 0)
  let seen = Atomic(0)
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    await ledger.transfer(30, betweenHalves: pause)
  } by: {
    seen.store(await ledger.total, ordering: .relaxed)
  }
  return "\(interruption.rawValue), total \(seen.load(ordering: .relaxed))"
}

func sessions<S: SessionStore>(of type: S.Type, isUnguarded: Bool = false) async -> String {
  let opening = AtomicLazyReference<Opening>()
  let store = type.init {
    opening.load()?.pause()
    return Session()
  }
  let sessionOfA = AtomicLazyReference<Session>()
  let sessionOfB = AtomicLazyReference<Session>()
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    _ = opening.storeIfNil(Opening(pause))
    _ = sessionOfA.storeIfNil(await store.session)
  } by: {
    _ = sessionOfB.storeIfNil(await store.session)
  }
  let isOne = sessionOfA.load() === sessionOfB.load()
  return "\(interruption.rawValue), \(isOne ? "1 session" : "2 sessions")"
}

/// Where A is stopped while it opens its session.
private final class Opening: Sendable {
  let pause: @Sendable () -> Void

  init(_ pause: @escaping @Sendable () -> Void) {
    self.pause = pause
  }
}

func receipts(from printer: some ReceiptPrinter, isUnguarded: Bool = false) async -> String {
  let interruption = await interrupt(isUnguarded: isUnguarded) { pause in
    await printer.printReceipt(for: "A", betweenLines: pause)
  } by: {
    await printer.printReceipt(for: "B") {}
  }
  let isWhole = await printer.roll.areReceiptsWhole
  return "\(interruption.rawValue), receipts \(isWhole ? "whole" : "mixed")"
}

/// A waits for its audit until B is done, or kept waiting.
func withdrawalsDuringAudit(from account: AuditedAccountSerialQueue) async -> String {
  let interruption = await interrupt { pause in
    _ = account.withdraw(80) {
      pause()
      return true
    }
  } by: {
    _ = account.withdraw(80) { true }
  }
  return "\(interruption.rawValue), balance \(account.balance)"
}

func withdrawalsDuringAudit(from account: AuditedAccountCallback) async -> String {
  let interruption = await interrupt(isUnguarded: true) { pause in
    _ = await account.withdraw(80) { finish in
      // An audit takes place elsewhere, not on the account's queue.
      Thread.detachNewThread {
        pause()
        finish(true)
      }
    }
  } by: {
    _ = await account.withdraw(80) { finish in finish(true) }
  }
  return "\(interruption.rawValue), balance \(account.balance)"
}

func withdrawalsDuringAudit(
  from account: some AuditedAccount, isApproved: Bool = true
) async -> String {
  let interruption = await interrupt(isUnguarded: true) { pause in
    _ = await account.withdraw(80) {
      pause()
      return isApproved
    }
  } by: {
    _ = await account.withdraw(80) { true }
  }
  return "\(interruption.rawValue), balance \(await account.balance)"
}

extension AuditedAccountCallback {
  func withdraw(
    _ amount: Int, audit: @escaping @Sendable (@escaping @Sendable (Bool) -> Void) -> Void
  ) async -> Bool {
    await withCheckedContinuation { continuation in
      withdraw(amount, audit: audit) { continuation.resume(returning: $0) }
    }
  }
}

extension [String] {
  /// Whether on this roll every "begins" is followed by the "ends" of the same customer.
  var areReceiptsWhole: Bool {
    count.isMultiple(of: 2)
      && stride(from: 0, to: count, by: 2).allSatisfy { index in
        let customer = self[index].split(separator: " ").first ?? ""
        return self[index] == "\(customer) begins" && self[index + 1] == "\(customer) ends"
      }
  }
}
