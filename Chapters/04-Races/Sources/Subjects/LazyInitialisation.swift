import Workbook

extension Subject {
  static let lazyInitialisation = Subject(
    "lazy-initialisation",
    asks: "A and B ask for the session, which is opened on first use. How many do they get?",
    right: .allowed("1 session"),
    implementations: [
      .before("lazy var", twoSessions.onlyPlayed, .race) { sessions(of: Plain.SessionStore()) }
        .code("SessionStorePlain.swift", "final class SessionStore"),
      .before("NSLock for each use", twoSessions) { sessions(of: LockedByHalves.SessionStore()) }
        .code("SessionStoreTwoLocks.swift", "if let session")
        .notPlayed("A holds the lock wherever it can be stopped"),
      .before("serial queue") { sessions(of: Queued.SessionStore()) }
        .code("SessionStoreSerialQueue.swift", "lazy var"),
      .before("NSLock") { sessions(of: Locked.SessionStore()) }
        .code("SessionStoreLock.swift", "lazy var"),
      .after("Mutex") { sessions(of: Mutexed.SessionStore()) }
        .code("SessionStoreMutex.swift", "opened.withLock"),
      .after("actor") { sessions(of: Isolated.SessionStore()) }
        .code("SessionStoreActor.swift", "actor SessionStore"),
      .after(
        "AtomicLazyReference", .allowed("1 session", "both open one, and the first is kept"),
        meanwhile: .comesIn
      ) {
        let pause = Pause()
        let store = Lockfree.SessionStore {
          pause.block()
          return Session()
        }
        return sessions(of: store, stoppedAt: .call(pause))
      }
      .code("SessionStoreAtomic.swift", "Two callers may both"),
    ])

  private static let twoSessions = Outcome.surprising(
    "2 sessions", "both find none before either has kept its own")
}

/// Opens its session when it is first asked for; everyone gets the same one.
private protocol Opening: AnyObject, Sendable {
  var session: Session { get async }
}

extension Plain.SessionStore: Opening {}
extension LockedByHalves.SessionStore: Opening {}
extension Queued.SessionStore: Opening {}
extension Locked.SessionStore: Opening {}
extension Mutexed.SessionStore: Opening {}
extension Isolated.SessionStore: Opening {}
extension Lockfree.SessionStore: Opening {}

/// A is stopped between opening a session and keeping it.
private func sessions(of store: some Opening, stoppedAt stop: Stop = .store(1)) -> Encounter {
  Encounter(over: store, stoppedAt: stop) { _ in
    await store.session
  } outcome: { first, second in
    first === second ? "1 session" : "2 sessions"
  }
}
