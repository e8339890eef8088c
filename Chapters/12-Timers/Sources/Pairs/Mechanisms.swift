// What each type is made with: a namespace for each way.

/// Timer sources of Dispatch.
enum Sourced {}
/// Blocks and work items that a queue calls later.
enum Queued {}
/// Async sequences and async functions, on a clock.
enum Clocked {}

// MARK: What goes wrong

/// A timer whose owner cancels it, and does not wait for a handler that runs.
enum CancelOnly {}
/// A timer that is cancelled while it is suspended.
enum StillSuspended {}
/// A timer that nobody keeps.
enum Unkept {}
/// A delay that begins when the work has ended.
enum Drifting {}
/// A debounce that cancels nothing, and looks for changes when a delay is over.
enum Comparing {}
/// A debounce that drops the error of a sleep that was cancelled.
enum ErrorDropped {}
