import Workbook

extension Subject {
  static let lostUpdate = Subject(
    "lost-update",
    asks: "A and B each add 1 to a counter. What is lost?",
    right: .allowed("0 lost"),
    implementations: [
      .before("plain variable", .surprising("1 lost", "A overwrites what B wrote"), .race) {
        additions(to: Plain.Counter())
      }
      .code("CounterPlain.swift", "private(set) var value"),
      .before("serial queue") { additions(to: Queued.Counter()) }
        .code("CounterSerialQueue.swift", "func increment"),
      .before("NSLock") { additions(to: Locked.Counter()) }
        .code("CounterLock.swift", "func increment"),
      .after("Mutex") { additions(to: Mutexed.Counter()) }
        .code("CounterMutex.swift", "func increment"),
      .after("actor") { additions(to: Isolated.Counter()) }
        .code("CounterActor.swift", "actor Counter"),
      .after(
        "atomic", .allowed("0 lost", "an addition has no middle to stop in"), meanwhile: .atOnce
      ) {
        additions(to: Lockfree.Counter())
      }
      .code("CounterAtomic.swift", "func increment"),
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
