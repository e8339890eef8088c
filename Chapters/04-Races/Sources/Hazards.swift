import Workbook

// Each racy class under the schedule that its cures are put under, too.

extension Hazard {
  static let lostUpdate = Hazard.task("races/lost-update", isDataRace: true) { _ in
    await additions(to: CounterUnsynchronised(), isUnguarded: true)
  }

  static let checkThenAct = Hazard.task("races/check-then-act", isDataRace: true) { _ in
    await withdrawals(from: AccountUnsynchronised.self, isUnguarded: true)
  }

  static let tornInvariant = Hazard.task("races/torn-invariant", isDataRace: true) { _ in
    await readings(of: LedgerUnsynchronised.self, isUnguarded: true)
  }

  static let unsynchronisedArray = Hazard.task(
    "races/unsynchronised-array", isDataRace: true
  ) { _ in
    await appends(to: UploadLogUnsynchronised(), isUnguarded: true)
  }

  static let lazyInitialisation = Hazard.task(
    "races/lazy-initialisation", isDataRace: true
  ) { _ in
    await sessions(of: SessionStoreUnsynchronised.self, isUnguarded: true)
  }

  static let criticalSection = Hazard.task("races/critical-section", isDataRace: true) { _ in
    await receipts(from: ReceiptPrinterUnsynchronised(), isUnguarded: true)
  }
}
