import Workbook

// What needs two calls, or a wait in the middle, is no longer one step, also of an actor.

extension Subject {
  static let awaitLostUpdate = Subject(
    "await-lost-update",
    asks: "A and B each count one visit. How many are counted?",
    right: .allowed("2 counted"),
    implementations: [
      .after(
        "actor, read and write in two calls",
        .surprising("1 counted", "both read before either writes")
      ) {
        let visits = IsolatedByHalves.Visits()
        return Encounter(over: visits, stoppedAt: .change(1)) { _ in
          await visits.visit()
        } outcome: { _, _ in
          "\(await visits.count) counted"
        }
      }
      .code("VisitsInTwoCallsActor.swift", "func visit")
      .notPlayed("A has nothing in between at which it could be stopped"),
      .after("actor, read and write in one call") {
        let visits = Isolated.Visits()
        return Encounter(over: visits, stoppedAt: .store(1)) { _ in
          await visits.visit()
        } outcome: { _, _ in
          "\(await visits.count) counted"
        }
      }
      .code("VisitsActor.swift", "private(set) var count"),
    ])

  static let awaitCheckThenAct = Subject(
    "await-check-then-act",
    asks: "A and B each buy a ticket, pay for it, and there is one. How many are sold?",
    right: .allowed("1 sold"),
    implementations: [
      .after(
        "actor, check and act in two calls",
        .surprising("2 sold", "both check before either buys")
      ) {
        let (tickets, pause) = (IsolatedByHalves.Tickets(), Pause())
        return Encounter(over: tickets, stoppedAt: .call(pause)) { _ in
          await tickets.buy { await pause() }
        } outcome: { _, _ in
          "\(await tickets.sold) sold"
        }
      }
      .code("TicketsCheckedOutsideActor.swift", "guard await left"),
      .after("actor, check and act in one call", meanwhile: .comesIn) {
        let (tickets, pause) = (Isolated.Tickets(), Pause())
        return Encounter(over: tickets, stoppedAt: .call(pause)) { _ in
          await tickets.buy { await pause() }
        } outcome: { _, _ in
          "\(await tickets.sold) sold"
        }
      }
      .code("TicketsActor.swift", "guard left"),
    ])

  static let reentrantCache = Subject(
    "reentrant-cache",
    asks: "A and B each ask for the report of one month. How often is it made?",
    right: .allowed("made once"),
    implementations: [
      .after(
        "actor, kept when it is made", .surprising("made twice", "B misses it while A awaits it")
      ) { reports(from: Reentrant.ReportCache()) }
      .code("ReportCacheReentrantActor.swift", "if let report"),
      .after("actor, kept from the first miss on", meanwhile: .waits) {
        reports(from: Isolated.ReportCache())
      }
      .code("ReportCacheActor.swift", "if let report"),
    ])
}

/// Makes a report when it is first asked for, and keeps it.
private protocol Reporting: Actor {
  func report(
    for month: String, making make: @escaping @Sendable () async -> String
  ) async -> String
}

extension Reentrant.ReportCache: Reporting {}
extension Isolated.ReportCache: Reporting {}

/// A is stopped while its report is made.
private func reports(from cache: some Reporting) -> Encounter {
  let pause = Pause()
  return Encounter(over: cache, stoppedAt: .call(pause)) { name in
    await cache.report(for: "May") {
      await pause()
      return "made for \(name)"
    }
  } outcome: { first, second in
    first == second ? "made once" : "made twice"
  }
}
