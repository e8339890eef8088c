/// What strands that block have in common, as a value: what may be done to it, and what that makes of it.
///
/// The whole meaning of locks, semaphores, groups and conditions is here, without a thread in it. An
/// exploration asks it what can go on; a reduction asks it what could have gone on earlier.
package enum ObjectState: Hashable, Sendable {
  /// Only who uses it in what order matters.
  case variable
  case lock(isHeld: Bool)
  /// A lock of many readers or one writer.
  case sharedLock(readers: [StrandID], writer: StrandID?)
  /// A semaphore, or the workers of a pool.
  case count(Int)
  /// How many have entered, and how often the last of them has left.
  case group(entered: Int, emptied: Int)
  case condition(Waiters)
  /// What may be closed several times and then wants opening as often.
  case gate(closed: Int)
  /// The moments, in milliseconds, for which strands wait, the first one first.
  case clock([Int])
  /// Who holds strands back, such as an operation's dependencies.
  case holds(Holds)
}

/// What a strand does to one object.
package enum Action: Hashable, Sendable {
  /// Of a variable without protection.
  case read, write
  /// Of an atomic: besides it orders what comes before a store and after a load.
  case load, store, update
  /// Of a lock. Who attempts never waits.
  case acquire, release, attempt
  /// Of a lock that is taken and given back in one step; those who do no more than that do not see each other.
  case passThrough
  /// Of a lock of readers and a writer, by a strand. Who attempts never waits.
  case acquireToRead(StrandID)
  case attemptToRead(StrandID)
  case acquireToWrite(StrandID)
  case attemptToWrite(StrandID)
  case releaseShared(StrandID)
  /// Of a count. Who attempts never waits.
  case take, put, attemptToTake
  /// Of a group: finding it empty waits until nobody is in it. Arriving to be told never waits; passing does until the
  /// group has been emptied so often.
  case enter, leave, findEmpty, arrive
  case pass(emptied: Int)
  /// Of a condition, by a strand.
  case register(StrandID)
  case wake(StrandID)
  case notify, notifyAll
  /// Of a gate.
  case close, open, goThrough
  /// Of the clock.
  case arm(Int)
  case expire(Int)
  /// A sleeper is woken before its time.
  case disarm(Int)
  /// Of holds: who proceeds waits until nobody holds.
  case hold(by: ObjectID)
  case letGo(by: ObjectID)
  case force, proceed
  /// Of an object: it is looked for; a reference is dropped, and only whether all are matters, or who drops the last.
  case look, drop, endLife
}

extension Action {
  /// How it stands to other uses of the same object.
  ///
  /// What commutes, two of one kind other than writes, keeps neither of the two from being possible. The reduction
  /// leans on that.
  package var mode: Access.Mode {
    switch self {
    case .read, .load, .findEmpty, .arrive, .pass, .goThrough, .proceed, .passThrough, .arm, .look:
      .read
    case .put, .enter, .leave, .letGo, .drop: .post
    default: .write
    }
  }

  /// Whether what other strands did before they released comes before what follows.
  var acquires: Bool {
    switch self {
    case .load, .update, .acquire, .attempt, .take, .attemptToTake, .findEmpty, .arrive, .pass,
      .wake, .goThrough, .proceed:
      true
    default: false
    }
  }

  /// Whether what the strand did before comes before what follows an acquisition.
  var releases: Bool {
    switch self {
    case .store, .update, .release, .put, .leave, .notify, .notifyAll, .open, .letGo, .force: true
    default: false
    }
  }
}

extension ObjectState {
  /// Whether the action can be done now; one that cannot waits.
  package func permits(_ action: Action) -> Bool {
    switch (self, action) {
    case (.lock(let isHeld), .acquire), (.lock(let isHeld), .passThrough): !isHeld
    case (.sharedLock(_, let writer), .acquireToRead): writer == nil
    case (.sharedLock(let readers, let writer), .acquireToWrite):
      writer == nil && readers.isEmpty
    case (.count(let count), .take): count > 0
    case (.group(let entered, _), .findEmpty): entered == 0
    case (.group(_, let emptied), .pass(let least)): emptied >= least
    case (.gate(let closed), .goThrough): closed == 0
    case (.condition(let waiters), .wake(let strand)): waiters.canWake(strand)
    case (.clock(let deadlines), .expire(let deadline)): deadlines.first ?? deadline >= deadline
    case (.holds(let holds), .proceed): holds.isFree
    default: true
    }
  }

  /// Does an action that is permitted.
  ///
  /// - Returns: Whether it succeeded: an attempt may not, nor a leave of what nobody has entered.
  @discardableResult
  package mutating func apply(_ action: Action) -> Bool {
    switch (self, action) {
    case (.lock(let isHeld), .attempt):
      self = .lock(isHeld: true)
      return !isHeld
    case (.lock, .acquire): self = .lock(isHeld: true)
    case (.lock(let isHeld), .release):
      self = .lock(isHeld: false)
      return isHeld
    case (.sharedLock(let readers, let writer), .acquireToRead(let strand)),
      (.sharedLock(let readers, let writer), .attemptToRead(let strand)):
      guard writer == nil else { return false }
      self = .sharedLock(readers: readers + [strand], writer: nil)
    case (.sharedLock(let readers, let writer), .acquireToWrite(let strand)),
      (.sharedLock(let readers, let writer), .attemptToWrite(let strand)):
      guard writer == nil, readers.isEmpty else { return false }
      self = .sharedLock(readers: [], writer: strand)
    case (.sharedLock(var readers, let writer), .releaseShared(let strand)):
      if writer == strand {
        self = .sharedLock(readers: readers, writer: nil)
      } else if let index = readers.firstIndex(of: strand) {
        readers.remove(at: index)
        self = .sharedLock(readers: readers, writer: writer)
      }
    case (.count(let count), .attemptToTake):
      guard count > 0 else { return false }
      self = .count(count - 1)
    case (.count(let count), .take): self = .count(count - 1)
    case (.count(let count), .put): self = .count(count + 1)
    case (.group(let entered, let emptied), .enter):
      self = .group(entered: entered + 1, emptied: emptied)
    case (.group(let entered, let emptied), .leave):
      guard entered > 0 else { return false }
      self = .group(entered: entered - 1, emptied: emptied + (entered == 1 ? 1 : 0))
    case (.group(let entered, _), .arrive): return entered == 0
    case (.gate(let closed), .close): self = .gate(closed: closed + 1)
    case (.gate(let closed), .open):
      guard closed > 0 else { return false }
      self = .gate(closed: closed - 1)
    case (.condition(var waiters), let action):
      self = .variable
      waiters.apply(action)
      self = .condition(waiters)
    case (.holds(var holds), let action):
      holds.apply(action)
      self = .holds(holds)
    case (.clock(let deadlines), .arm(let deadline)):
      self = .clock((deadlines + [deadline]).sorted())
    case (.clock(var deadlines), .expire(let deadline)),
      (.clock(var deadlines), .disarm(let deadline)):
      deadlines.firstIndex(of: deadline).map { _ = deadlines.remove(at: $0) }
      self = .clock(deadlines)
    default: break
    }
    return true
  }
}

/// Who waits for a condition, and who of them may go on.
///
/// A notification is for those who wait when it comes. Which of them takes it is not said, as POSIX
/// leaves it open, so each may; who comes later may not.
package struct Waiters: Hashable, Sendable {
  private struct Registration: Hashable {
    let strand: StrandID
    let moment: Int
  }

  private var waiters: [Registration] = []
  /// The moments of the notifications that nobody has taken yet, in order.
  private var notifications: [Int] = []
  private var moment = 0

  package init() {}

  func canWake(_ strand: StrandID) -> Bool {
    guard let waiter = waiters.first(where: { $0.strand == strand }) else { return false }
    return notifications.contains { $0 > waiter.moment }
  }

  mutating func apply(_ action: Action) {
    moment += 1
    switch action {
    case .register(let strand): waiters.append(Registration(strand: strand, moment: moment))
    case .notify where notifications.count < waiters.count: notifications.append(moment)
    case .notifyAll:
      while notifications.count < waiters.count { notifications.append(moment) }
    case .wake(let strand):
      guard let index = waiters.firstIndex(where: { $0.strand == strand }) else { return }
      let waiter = waiters.remove(at: index)
      // The oldest will do: of those that fit this waiter it fits the fewest others.
      if let taken = notifications.firstIndex(where: { $0 > waiter.moment }) {
        notifications.remove(at: taken)
      } else if notifications.count > waiters.count {
        notifications.removeLast()
      }
    default: break
    }
  }
}

/// Who holds strands back; nobody can once they have been forced on.
package struct Holds: Hashable, Sendable {
  private var holders: Set<ObjectID>
  private var isForced = false

  /// - Parameter first: Who holds at the beginning, if anyone.
  package init(first: ObjectID? = nil) { holders = first.map { [$0] } ?? [] }

  var isFree: Bool { isForced || holders.isEmpty }

  mutating func apply(_ action: Action) {
    switch action {
    case .hold(let holder): holders.insert(holder)
    case .letGo(let holder): holders.remove(holder)
    case .force: isForced = true
    default: break
    }
  }
}
