import Synchronization
import Workbook

// Each racy class under the one schedule that shows its race. The gates are relaxed, and nothing is
// said before both threads are done: a transcript takes a lock, which would order the accesses.

extension Hazard {
  static let lostUpdate = Hazard("races/lost-update", isDataRace: true) { transcript in
    let counter = CounterUnsynchronised()
    let gate = RelaxedGate()
    let readByA = Atomic(-1)
    let readByB = Atomic(-1)
    onTwoThreads {
      counter.increment { read in
        readByA.store(read, ordering: .relaxed)
        gate.reach(1)
        gate.wait(for: 2)
      }
    } _: {
      gate.wait(for: 1)
      counter.increment { readByB.store($0, ordering: .relaxed) }
      gate.reach(2)
    }
    let (a, b) = (readByA.load(ordering: .relaxed), readByB.load(ordering: .relaxed))
    transcript.say("A reads \(a)")
    transcript.say("B reads \(b), writes \(b + 1)")
    transcript.say("A writes \(a + 1)")
    return "\(2 - counter.value) lost"
  }

  static let checkThenAct = Hazard("races/check-then-act", isDataRace: true) { transcript in
    let account = AccountUnsynchronised(balance: 100)
    let gate = RelaxedGate()
    let paid = Atomic(0)
    onTwoThreads {
      let isPaid = account.withdraw(80) {
        gate.reach(1)
        gate.wait(for: 2)
      }
      if isPaid { paid.add(1, ordering: .relaxed) }
    } _: {
      gate.wait(for: 1)
      if account.withdraw(80) { paid.add(1, ordering: .relaxed) }
      gate.reach(2)
    }
    transcript.say("A is stopped after its check; B withdraws 80; A goes on")
    transcript.say("withdrawals paid: \(paid.load(ordering: .relaxed))")
    return "balance \(account.balance)"
  }

  static let tornInvariant = Hazard("races/torn-invariant", isDataRace: true) { transcript in
    let ledger = LedgerUnsynchronised(checking: 100, savings: 0)
    let gate = RelaxedGate()
    let seen = Atomic(0)
    onTwoThreads {
      ledger.transfer(30) {
        gate.reach(1)
        gate.wait(for: 2)
      }
    } _: {
      gate.wait(for: 1)
      seen.store(ledger.total, ordering: .relaxed)
      gate.reach(2)
    }
    transcript.say("A is stopped between the halves of its transfer; B adds up; A goes on")
    transcript.say("the total afterwards: \(ledger.total)")
    return "total \(seen.load(ordering: .relaxed))"
  }

  static let unsynchronisedArray = Hazard(
    "races/unsynchronised-array", isDataRace: true
  ) { transcript in
    let log = UploadLogUnsynchronised()
    let gate = RelaxedGate()
    onTwoThreads {
      log.append("a.jpg") {
        gate.reach(1)
        gate.wait(for: 2)
      }
    } _: {
      gate.wait(for: 1)
      log.append("b.jpg")
      gate.reach(2)
    }
    transcript.say("A is stopped after reading the array; B appends b.jpg; A goes on with a.jpg")
    transcript.say("the array holds \(log.names)")
    return "\(2 - log.names.count) lost"
  }

  static let lazyInitialisation = Hazard(
    "races/lazy-initialisation", isDataRace: true
  ) { transcript in
    let gate = RelaxedGate()
    let opened = Atomic(0)
    let store = SessionStoreUnsynchronised {
      if opened.add(1, ordering: .relaxed).newValue == 1 {
        gate.reach(1)
        gate.wait(for: 2)
      }
      return Session()
    }
    let sessionOfA = AtomicLazyReference<Session>()
    let sessionOfB = AtomicLazyReference<Session>()
    onTwoThreads {
      _ = sessionOfA.storeIfNil(store.session)
    } _: {
      gate.wait(for: 1)
      _ = sessionOfB.storeIfNil(store.session)
      gate.reach(2)
    }
    transcript.say("A finds no session and begins to open one; B comes meanwhile")
    transcript.say("opened: \(opened.load(ordering: .relaxed))")
    return sessionOfA.load() === sessionOfB.load() ? "1 session" : "2 sessions"
  }

  static let criticalSection = Hazard("races/critical-section", isDataRace: true) { transcript in
    let printer = ReceiptPrinterUnsynchronised()
    let gate = RelaxedGate()
    onTwoThreads {
      printer.printReceipt(for: "A") {
        gate.reach(1)
        gate.wait(for: 2)
      }
    } _: {
      gate.wait(for: 1)
      printer.printReceipt(for: "B")
      gate.reach(2)
    }
    transcript.say("the roll: \(printer.roll.joined(separator: ", "))")
    return printer.roll.areReceiptsWhole ? "receipts whole" : "receipts mixed"
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
