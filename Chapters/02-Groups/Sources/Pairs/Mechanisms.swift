// What each type is made with: a namespace for each way.

/// A `DispatchGroup`, whose members enter and leave.
enum Grouped {}
/// A `DispatchGroup` that members enter before their work is handed to another thread.
enum EnteringFirst {}
/// A `DispatchGroup`, and a work item that it submits at the end.
enum Notified {}
/// A `DispatchGroup` with members on two queues.
enum OnTwoQueues {}
/// A `DispatchGroup`, and a thread off main that waits for it, up to a time limit.
enum Waiting {}
/// A group of child tasks.
enum TaskGrouped {}
/// `concurrentPerform`.
enum Performed {}
/// An `NSLock`.
enum Locked {}
/// A serial queue.
enum Queued {}
/// A group of child tasks, one for each row of a photo.
enum ChildPerRow {}
/// A group of child tasks, one for each pixel of a photo.
enum ChildPerPixel {}
/// One thread.
enum Plain {}

// MARK: What goes wrong

/// A group that counts the blocks that start downloads, and not the downloads.
enum CountingStarts {}
/// A group that is left twice on one path.
enum LeavingTwice {}
/// A group that an early return forgets to leave.
enum Forgetful {}
/// A group that members enter when they run, so after it was asked to tell.
enum EnteringLate {}
/// A group that one member leaves before the next one, on another queue, enters.
enum LeavingBetween {}
/// A group that is left in the branch that tries again.
enum LeavingToRetry {}
/// State that nothing guards.
enum Unsynchronised {}
