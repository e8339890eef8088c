import CInterleaving

/// What code does to an atomic of Synchronization's, to a lock of libc's or Foundation's, or to a task.
enum RealOperation: Int {
  // Of an atomic.
  case load, store, update
  // Of a mutex; strictly: who holds it must not; again: who holds it may.
  case lock, lockStrictly, lockAgain, tryLock, tryLockAgain, unlock
  // Of a lock of readers and a writer.
  case lockToRead, tryLockToRead, lockToWrite, tryLockToWrite, unlockShared
  // Of a condition.
  case wait, wakeOne, wakeAll
  // Of a task.
  case cancel, askWhetherCancelled, goToSleep, awaitNext, beginChild, setHandler, endLets
  case beginAtOnce, haveBegun
  // Of what the runtime locks for itself.
  case useRuntime, useStatus, passStatus
  // Of a lock within a library that a strand holds while it waits for its turn.
  case awaitLock, releaseLock
  // Of the clock.
  case sleep
  // Of a task's continuation.
  case openContinuation, resume
  // Of an object: a reference is dropped, where others look for it, or see its end; and it is looked for.
  case drop, endLife, look, askWhetherShared
  // Of a file: it gets a name that is another in each execution.
  case nameAtRandom

  /// What it is done to.
  enum Kind: String {
    case atomic = "Atomic"
    case mutex = "Mutex"
    case lock
    case readersWriter = "readers–writers lock"
    case condition
    case task
    case libraryLock = "lock of a library"
    case clock
    case life = "object"
    case file
  }

  var kind: Kind {
    switch self {
    case .load, .store, .update: .atomic
    case .lockStrictly: .mutex
    case .lock, .lockAgain, .tryLock, .tryLockAgain, .unlock: .lock
    case .lockToRead, .tryLockToRead, .lockToWrite, .tryLockToWrite, .unlockShared: .readersWriter
    case .wait, .wakeOne, .wakeAll: .condition
    case .cancel, .askWhetherCancelled, .goToSleep, .awaitNext, .beginChild, .setHandler,
      .endLets, .beginAtOnce, .haveBegun, .useRuntime, .useStatus, .passStatus, .openContinuation,
      .resume:
      .task
    case .awaitLock, .releaseLock: .libraryLock
    case .sleep: .clock
    case .drop, .endLife, .look, .askWhetherShared: .life
    case .nameAtRandom: .file
    }
  }
}

/// Where in the program code is: how far into its image, which is the same in every process.
struct Place: Hashable, Comparable, Sendable {
  let offset: UInt

  init(_ offset: UInt) { self.offset = offset }

  static func < (first: Self, second: Self) -> Bool { first.offset < second.offset }
}
