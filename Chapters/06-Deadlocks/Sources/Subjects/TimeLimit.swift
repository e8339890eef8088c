import Workbook

extension Subject {
  static let timeLimit = Subject(
    "time-limit",
    asks: "A and B pay each other, and wait 20 ms at most for the other's purse. Are both paid?",
    right: .allowed("both paid"),
    implementations: [
      .before(
        "time limit, payer first",
        .surprising("one paid", "no deadlock: one gives up, and nobody tries again"),
        .surprising("none paid", "each waits for the other until both give up").onlyExplored
      ) { transfers(TimeLimited.Purse.init, stoppedAt: .use(2)) }
      .code("TransferTimeLimit.swift", "guard other.turn.wait"),
      .before("NSLock, lower number first") { transfers(Locked.Purse.init) }
        .code("TransferLock.swift", "let (first, second)"),
      .after("actor") { transfers(Isolated.Purse.init) }
        .code("TransferActor.swift", "guard balance"),
    ])
}

/// Pays, and says whether it did.
private protocol Attempting: AnyObject, Sendable {
  func attempt(_ amount: Int, to other: Self) async -> Bool
}

extension TimeLimited.Purse: Attempting {
  func attempt(_ amount: Int, to other: TimeLimited.Purse) -> Bool { transfer(amount, to: other) }
}

extension Locked.Purse: Attempting {
  func attempt(_ amount: Int, to other: Locked.Purse) -> Bool {
    transfer(amount, to: other)
    return true
  }
}

extension Isolated.Purse: Attempting {
  func attempt(_ amount: Int, to other: Isolated.Purse) async -> Bool {
    await transfer(amount, to: other)
    return true
  }
}

/// A is stopped when it has its own purse, before it asks for the other.
private func transfers<P: Attempting>(
  _ make: (_ number: Int, _ balance: Int) -> P, stoppedAt stop: Stop = .change(1)
) -> Encounter {
  let purses = (1...2).map { make($0, 100) }
  return Encounter(over: purses[0], stoppedAt: stop) {
    await purses[0].attempt(50, to: purses[1])
  } by: {
    await purses[1].attempt(20, to: purses[0])
  } outcome: { first, second in
    first && second ? "both paid" : first || second ? "one paid" : "none paid"
  }
}
