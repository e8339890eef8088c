import Workbook

extension Subject {
  static let once = Subject(
    "once",
    asks: "A and B each have the filters made once, and use them. What do they find?",
    right: .allowed("made once, both find them"),
    implementations: [
      .before(
        "a flag, set first",
        .surprising("made once, one finds none", "it goes on while the other is still at it"), .race
      ) { uses(FlaggedFirst.Once()) }
      .code("OnceFlagFirst.swift", "let isFirst")
      .notPlayed("ThreadSanitizer does not report its race where A is stopped"),
      .before("a flag, first read without the lock", .race) { uses(CheckedOutside.Once()) }
        .code("OnceCheckedOutside.swift", "if isDone")
        .notPlayed("what goes wrong is the order of the memory, which no stop shows"),
      .before("NSLock and a flag") { uses(Locked.Once()) }
        .code("OnceLock.swift", "lock.withLock"),
      .before("serial queue and a flag") { uses(Queued.Once()) }
        .code("OnceSerialQueue.swift", "queue.sync"),
      .after("Mutex around the flag") { uses(Mutexed.Once()) }
        .code("OnceMutex.swift", "isDone.withLock"),
    ])
}

/// Runs what it is given the first time, and has others wait until that is done.
private protocol RunningOnce: AnyObject, Sendable {
  func run(_ body: () -> Void)
}

extension FlaggedFirst.Once: RunningOnce {}
extension CheckedOutside.Once: RunningOnce {}
extension Locked.Once: RunningOnce {}
extension Queued.Once: RunningOnce {}
extension Mutexed.Once: RunningOnce {}

// Sendable because `count` is written once, and read after that; where the subject is wrong, that is false on purpose.
private final class Made: @unchecked Sendable {
  var count = 0
}

/// A is stopped while it makes the filters.
private func uses(_ once: some RunningOnce) -> Encounter {
  let made = Made()
  return Encounter(over: made, stoppedAt: .store(1)) { _ in
    once.run { made.count += 1 }
    return made.count
  } outcome: { first, second in
    let times = made.count == 1 ? "made once" : "made \(made.count) times"
    return "\(times), \(first + second == 2 ? "both find them" : "one finds none")"
  }
}
