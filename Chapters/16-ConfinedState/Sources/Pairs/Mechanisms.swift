// What each part of the program is made with: a namespace for each way.

/// Contexts that belong to queues.
enum Queued {}
/// Actors, and values that leave them.
enum Isolated {}

// MARK: What goes wrong

/// An object that is used in two contexts.
enum TwoContexts {}
/// A context that waits on the main thread for one whose save needs the main thread.
enum MainWaits {}
/// What is read before an `await`, and written back after it.
enum AcrossAwait {}
/// A snapshot and a subscription, one after the other.
enum TwoSteps {}
