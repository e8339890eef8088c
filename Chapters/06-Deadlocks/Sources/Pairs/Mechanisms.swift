// What each type is made with: a namespace for each way.

/// A serial queue.
enum Queued {}
/// An `NSLock`.
enum Locked {}
/// A `Mutex`.
enum Mutexed {}
/// An actor.
enum Isolated {}
/// Locks, and a semaphore for those who may try.
enum Chaired {}
/// A callback.
enum CalledBack {}
/// Async functions.
enum Awaited {}
/// Operations that depend on what they need.
enum Depending {}
/// A look for a cycle, before the wait that would close it.
enum Checked {}
/// A thread that nobody else needs.
enum WaitingApart {}

// MARK: What goes wrong

/// A serial queue, and a call of others on it.
enum QueuedInside {}
/// An `NSLock`, and a call of others under it.
enum LockedInside {}
/// A `Mutex`, and a call of others under it.
enum MutexedInside {}
/// Two serial queues, taken in two orders.
enum QueuedCrosswise {}
/// `NSLock`s, taken in two orders.
enum LockedCrosswise {}
/// `Mutex`es, taken in two orders.
enum MutexedCrosswise {}
/// Actors, called in two orders.
enum IsolatedCrosswise {}
/// Semaphores, taken in two orders, with a limit on the wait for the second.
enum TimeLimited {}
/// A wait for what cannot come before it ends.
enum Waiting {}
/// An early return that leaves out what others wait for.
enum Forgetful {}
