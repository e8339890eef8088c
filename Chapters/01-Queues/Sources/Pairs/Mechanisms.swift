// What each type is made with: a namespace for each way.

/// Queues that run one block at a time, or a global one.
enum Queued {}
/// A queue that runs several blocks at a time.
enum QueuedAtOnce {}
/// Work items, which can be cancelled.
enum Cancellable {}
/// Queues with one target.
enum Targeted {}
/// Async functions.
enum Awaited {}
/// An actor.
enum Isolated {}
/// A task that is kept.
enum Tasked {}
/// A group of child tasks.
enum Grouped {}
/// A stream, and one task that takes from it.
enum Streamed {}

// MARK: What goes wrong

/// A serial queue, and a method that forgets it.
enum Forgetful {}
/// A serial queue, and a call of itself on it.
enum QueuedInside {}
/// Queues without a common target.
enum Untargeted {}
/// A wait for what cannot come before it ends.
enum Waiting {}
/// A wait for a task, so that callers stay synchronous.
enum Bridging {}
