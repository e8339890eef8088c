// A namespace for each way to wait.

/// Calls that block their thread until the answer is there.
enum Blocking {}
/// Completion handlers.
enum CalledBack {}
/// Futures.
enum Promised {}
/// Delegates.
enum Delegated {}
/// Async functions, and streams.
enum Async {}

// MARK: What goes wrong

/// A continuation that is stored after its task was cancelled.
enum StoredLate {}
/// A continuation that is resumed under the lock that its cancellation handler wants.
enum ResumedInside {}
/// A cancellation handler that begins a task, which asks an actor.
enum ByTask {}
/// A continuation that is still there after it was resumed.
enum NotCleared {}
/// A completion that is called for the cache, and again for the server.
enum CalledTwice {}
/// A completion that one path forgets.
enum Forgetful {}
/// A completion that is called where the service happens to be.
enum OffMain {}
/// A completion that is sometimes called before the call returns.
enum TooEarly {}
/// An answer that is shown though a newer one was.
enum Unnumbered {}
