// What each type is made with: a namespace for each way.

/// One thread, one photo after the other.
enum Plain {}
/// `concurrentPerform`, and what is ordered after it.
enum Performed {}
/// A concurrent queue for what is independent, and a serial one for what is ordered.
enum Queued {}
/// A group of child tasks, of which so many are there at a time.
enum TaskGrouped {}
/// The same, and each child counts the light of its photo by itself.
enum OwnCounts {}
/// A `DispatchSemaphore`, waited for by one thread, which begins the work.
enum Fed {}
/// An `OperationQueue` with a width.
enum Operated {}
/// An `AsyncSemaphore`, which several callers share.
enum Gated {}
/// An `NSCondition`, for which threads wait.
enum Conditioned {}

// MARK: What goes wrong

/// Photos that are entered in the order in which their previews are made.
enum AsTheyCome {}
/// A child for each row of a photo: work that is cut once too often.
enum ChildPerRow {}
/// A `DispatchSemaphore`, waited for inside the blocks that it limits.
enum WaitingInside {}
/// A waiter that is resumed by a signal, and again by its cancellation.
enum ResumedTwice {}
/// A permit that is given back though it was not taken.
enum GivenBackAnyway {}
/// A limit that is looked at before an `await`, and noted after it.
enum CheckedFirst {}
/// A time that is taken and not given back when its caller is cancelled.
enum Reserved {}
/// A channel whose errors are dropped.
enum Silent {}
/// A receiver that looks for its cancellation after it has taken something.
enum LookingLate {}
/// One line for what is urgent and for what is not.
enum OneLine {}
