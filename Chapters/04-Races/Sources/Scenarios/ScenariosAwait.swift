import Interleaving
import Workbook

// What the explorer runs: the race that actors leave, and its cures, under every schedule.

extension Scenario {
  static let awaitLostUpdate = Scenario(
    "await-lost-update",
    asks: "A and B each count one visit. How many are counted?",
    versions: [
      Version(
        "actor, read and write in two calls",
        .allowed("2 counted"),
        .surprising("1 counted", "both read before either writes")
      ) {
        let visits = VisitsInTwoCallsActor()
        await both { await visits.visit() }
        return "\(await visits.count) counted"
      },
      Version("actor, read and write in one call", .allowed("2 counted")) {
        let visits = VisitsActor()
        await both { await visits.visit() }
        return "\(await visits.count) counted"
      },
    ])

  static let awaitCheckThenAct = Scenario(
    "await-check-then-act",
    asks: "A and B buy a ticket, pay for it, and there is one. How many are sold?",
    versions: [
      Version(
        "actor, check and act in two calls",
        .allowed("1 sold"),
        .surprising("2 sold", "both check before either buys")
      ) {
        let tickets = TicketsCheckedOutsideActor()
        await both { await tickets.buy { await Task.yield() } }
        return "\(await tickets.sold) sold"
      },
      Version("actor, check and act in one call", .allowed("1 sold")) {
        let tickets = TicketsActor()
        await both { await tickets.buy { await Task.yield() } }
        return "\(await tickets.sold) sold"
      },
    ])

  static let reentrantAccount = Scenario(
    "reentrant-account",
    asks: "A and B withdraw 80 from 100, each after an audit. What is the balance?",
    versions: [
      Version(
        "actor, await between check and act",
        .allowed("balance 20"),
        .surprising("balance -60", "the actor is free during the await")
      ) { await withdrawals(from: AuditedAccountReentrantActor(balance: 100)) },
      Version("actor, check and act in one step", .allowed("balance 20")) {
        await withdrawals(from: AuditedAccountActor(balance: 100))
      },
    ])

  static let reentrantCache = Scenario(
    "reentrant-cache",
    asks: "A and B ask for the report of one month. How often is it made?",
    versions: [
      Version(
        "actor, kept when it is made",
        .allowed("made once"),
        .surprising("made twice", "B misses it while A awaits it")
      ) {
        let cache = ReportCacheReentrantActor()
        await both { _ = await cache.report(for: "May") }
        return await cache.made == 1 ? "made once" : "made twice"
      },
      Version("actor, kept from the first miss on", .allowed("made once")) {
        let cache = ReportCacheActor()
        await both { _ = await cache.report(for: "May") }
        return await cache.made == 1 ? "made once" : "made twice"
      },
    ])
}

/// A and B do the same, beside each other.
private func both(_ work: @escaping @Sendable () async -> Void) async {
  await withTaskGroup { group in
    for name in ["A", "B"] { group.addTask(name: name) { await work() } }
  }
}

private func withdrawals(from account: some AuditedAccount) async -> String {
  await both {
    _ = await account.withdraw(80) {
      await Task.yield()
      return true
    }
  }
  return "balance \(await account.balance)"
}
