import Workbook

extension Subject {
  static let lostUpdate = Subject(
    "lost-update",
    asks: "A and B each add 1 to a counter. What is lost?",
    right: .allowed("0 lost"),
    implementations: [
      .before("plain variable", .surprising("1 lost", "A overwrites what B wrote"), .race) {
        additions(to: Plain.Counter())
      },
      .before("serial queue") { additions(to: Queued.Counter()) },
      .before("NSLock") { additions(to: Locked.Counter()) },
      .after("Mutex") { additions(to: Mutexed.Counter()) },
      .after("actor") { additions(to: Isolated.Counter()) },
      .after(
        "atomic", .allowed("0 lost", "an addition has no middle to stop in"), meanwhile: .atOnce
      ) {
        additions(to: Lockfree.Counter())
      },
    ])
}

/// Counts; no increment is lost.
private protocol Counting: AnyObject, Sendable {
  func increment() async
  var value: Int { get async }
}

extension Plain.Counter: Counting {}
extension Queued.Counter: Counting {}
extension Locked.Counter: Counting {}
extension Mutexed.Counter: Counting {}
extension Isolated.Counter: Counting {}
extension Lockfree.Counter: Counting {}

/// A is stopped between its read and its write.
private func additions(to counter: some Counting) -> Encounter {
  Encounter(over: counter, stoppedAt: .store(1)) { _ in
    await counter.increment()
  } outcome: { _, _ in
    "\(2 - (await counter.value)) lost"
  }
}
