// What each type is made with: a namespace for each way. What is in none is the port, or belongs to both sides.

/// Completion handlers, and what belongs to the main queue.
enum CalledBack {}
/// An `OperationQueue` with a width, and a lock.
enum Operated {}
/// An actor that keeps the tasks of what is not there yet.
enum InFlight {}
/// An actor that looks again after it has awaited.
enum SecondLook {}

// MARK: What goes wrong

/// One completion handler for all, and operations that are looked for by their state.
enum Published {}
/// A cache under one lock, and a table under another one.
enum TwoSteps {}
/// An actor that looks, awaits, and keeps.
enum Reentrant {}
/// A caller that is cancelled, and cancels what others wait for.
enum CancelsForAll {}
/// A loader that asks itself for the address to which a picture has moved.
enum AsksItself {}
/// A task whose waiters are continuations, so that none of them makes it more urgent.
enum NotRaised {}
