// What each type is made with: a namespace for each way.

/// An operation that goes on after its `start()` has returned.
enum Concurrent {}
/// An operation whose `main()` waits until all is done.
enum Waiting {}
/// Operations that depend on each other.
enum Depending {}
/// Async functions.
enum Awaited {}
/// A group of child tasks.
enum TaskGrouped {}

// MARK: What goes wrong

/// An operation whose `main()` begins a request and returns.
enum Returning {}
/// An operation whose `main()` looks every now and then whether it is done.
enum Sleeping {}
/// A concurrent operation whose state nothing guards.
enum Unguarded {}
/// A concurrent operation with a way out that does not finish.
enum ReturningEarly {}
/// A concurrent operation that does not finish when it was cancelled before it is started.
enum CancelledInSilence {}
/// A concurrent operation that says that it executes after its work has begun.
enum ExecutingLate {}
/// A concurrent operation that calls `super.start()`.
enum CallingSuper {}
/// A concurrent operation whose state is guarded, each use for itself.
enum BehindBarrier {}
/// An operation whose own readiness takes the place of its dependencies.
enum AlwaysReady {}
/// An operation that leaves behind what it has set up.
enum LeavingBehind {}
/// Operations whose dependents do not ask what became of them.
enum Unasked {}
