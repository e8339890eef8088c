// What each type is made with: a namespace for each way.

/// A serial queue.
enum Queued {}
/// A concurrent queue of its own: a read is a `sync`, a write is a barrier.
enum Barriered {}
/// The same, and a write waits until it is done.
enum BarrieredSync {}
/// An `NSLock`.
enum Locked {}
/// Readers beside each other, by a condition; a writer waits for all of them.
enum Conditioned {}
/// The same, and a writer that waits keeps new readers out.
enum WriterFirst {}
/// A `pthread_rwlock_t`.
enum Posix {}
/// A `Mutex`.
enum Mutexed {}
/// A `Mutex`, and a copy for each reader that it keeps until there is a newer one.
enum Snapshotted {}
/// An actor.
enum Isolated {}
/// An actor that keeps a task.
enum Tasked {}
/// What the language does once.
enum Static {}

// MARK: What goes wrong

/// Nothing guards it.
enum Plain {}
/// A concurrent queue, whose writes are no barriers.
enum Unbarriered {}
/// Barriers on a global queue, which are none.
enum OnGlobalQueue {}
/// A `sync` inside of one's own barrier.
enum BarrieredInside {}
/// An `NSLock`, taken anew for each half of what belongs together.
enum LockedByHalves {}
/// A lock, and a flag that is read without it.
enum CheckedOutside {}
/// A lock, and a flag that is set before the work is done.
enum FlaggedFirst {}
/// An actor that awaits between a check and what follows from it.
enum Reentrant {}
/// An actor, and a task that nobody awaits.
enum Unawaited {}
