import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Deck: Sendable {
  init(metres: Int)
  func book(_ metres: Int, paying pay: @Sendable () async throws -> Void) async throws
  var free: Int { get async }
}

extension Ferry: Deck {}

/// Takes the money of whoever has some.
private actor Bank {
  struct Declined: Error {}

  private(set) var payments = 0

  func pay(_ isCovered: Bool) throws {
    guard isCovered else { throw Declined() }
    payments += 1
  }
}

extension Deck {
  fileprivate func answer(_ metres: Int, from bank: Bank, covered: Bool = true) async -> String {
    do {
      try await book(metres) { try await bank.pay(covered) }
      return "booked"
    } catch is Ferry.Full {
      return "full"
    } catch is Bank.Declined {
      return "declined"
    } catch {
      return "\(error)"
    }
  }
}

private struct Outcome: Hashable {
  let answers: [String]
  let free: Int
  let payments: Int
}

@Test func `of two cars that do not both fit, one is booked, and one has paid`() async {
  let right = Outcome(answers: ["booked", "full"], free: 4, payments: 1)
  let exploration = await explore(stopsAtFailure: true, allowing: [right].contains) {
    let bank = Bank()
    let ferry: any Deck = Ferry(metres: 10)
    let answers = await withTaskGroup { group in
      for name in ["A", "B"] {
        group.addTask(name: name) { await ferry.answer(6, from: bank) }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return Outcome(
      answers: answers.sorted(), free: await ferry.free, payments: await bank.payments)
  }
  exploration.expectNoFailures()
}

@Test func `a declined payment gives its metres back, and no others`() async {
  let right = Outcome(answers: ["booked", "declined"], free: 6, payments: 1)
  let exploration = await explore(stopsAtFailure: true, allowing: [right].contains) {
    let bank = Bank()
    let ferry: any Deck = Ferry(metres: 10)
    let answers = await withTaskGroup { group in
      group.addTask(name: "A") { await ferry.answer(5, from: bank, covered: false) }
      group.addTask(name: "B") { await ferry.answer(4, from: bank) }
      return await group.reduce(into: []) { $0.append($1) }
    }
    return Outcome(
      answers: answers.sorted(), free: await ferry.free, payments: await bank.payments)
  }
  exploration.expectNoFailures()
}

@Test func `a deck takes exactly as many metres as it has`() async {
  let right = Outcome(
    answers: ["booked", "full", "declined", "booked", "full"], free: 0, payments: 2)
  let exploration = await explore(stopsAtFailure: true, allowing: [right].contains) {
    let bank = Bank()
    let ferry: any Deck = Ferry(metres: 10)
    let answers = [
      await ferry.answer(4, from: bank),
      await ferry.answer(7, from: bank),
      await ferry.answer(6, from: bank, covered: false),
      await ferry.answer(6, from: bank),
      await ferry.answer(1, from: bank),
    ]
    return Outcome(answers: answers, free: await ferry.free, payments: await bank.payments)
  }
  exploration.expectNoFailures()
}
