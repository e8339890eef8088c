// What guards the state of each type: a namespace for each way.

/// Nothing does.
enum Plain {}
/// A serial queue.
enum Queued {}
/// An `NSLock`.
enum Locked {}
/// An `NSLock`, taken anew for each half of what belongs together.
enum LockedByHalves {}
/// A `Mutex`.
enum Mutexed {}
/// An atomic.
enum Lockfree {}
/// An atomic for each of two numbers.
enum LockfreeByHalves {}
/// An actor.
enum Isolated {}
/// An actor, in two calls of it.
enum IsolatedByHalves {}
/// An actor, which awaits between a check and what follows from it.
enum Reentrant {}
/// An actor, which checks and acts before it awaits.
enum InOneStep {}
/// A serial queue, which waits between a check and what follows from it.
enum Blocked {}
/// A serial queue, which is left for a callback between the two.
enum CalledBack {}
/// What the language does once.
enum Static {}
