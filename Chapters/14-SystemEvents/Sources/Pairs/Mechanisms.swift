// What each type is made with: a namespace for each way.

/// Dispatch sources, or what has their interface where Linux has none.
enum Sourced {}
/// Async sequences and async functions.
enum Async {}

// MARK: What goes wrong

/// A child that is waited for on the queue where everything else is handled.
enum BlockingWait {}

/// A signal that is handled on a queue of long work.
enum BehindWork {}

/// A handler that is called in the middle of whatever its thread does.
enum Interrupting {}

/// Events that are told one by one.
enum PerEvent {}

/// State that a handler and its owner use, each on a thread of its own.
enum Unguarded {}
