// What each type is made with: a namespace for each way.

/// A semaphore, which counts and has no owner.
enum Counted {}
/// An `NSLock`.
enum Locked {}
/// A serial queue.
enum Queued {}
/// An operation queue.
enum Operated {}
/// A `Mutex`.
enum Mutexed {}
/// A POSIX mutex.
enum Posix {}
/// An actor.
enum Isolated {}
/// Tasks, each of which awaits the one before.
enum Chained {}
/// A group that is waited for.
enum Waiting {}
/// A task that is awaited.
enum AwaitedTask {}
