// What each type is made with: a namespace for each way.

/// Operations; the parse reads the result of the fetch that it depends on.
enum Linked {}
/// Operations, and one between them that hands over.
enum Adapted {}
/// Completion handlers.
enum CalledBack {}
/// Async functions.
enum Async {}

// MARK: What goes wrong

/// Operations, and a completion block that hands over.
enum HandedOver {}
/// The same, and the block does not keep the operations alive.
enum Unowned {}
/// Operations, and a parse that returns if it has no page.
enum Silent {}
/// An operation that waits in its queue for others of that queue.
enum WaitingInside {}
/// A fetch that is cancelled, and its request is not.
enum FlagOnly {}
/// A delay that goes on when the request is cancelled.
enum Unheard {}
/// An operation that looks whether it has ended, and then ends.
enum EndingTwice {}
