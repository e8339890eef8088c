// What each type is made with: a namespace for each way. A queue that one is given is a serial one.

/// Read and write sources of Dispatch.
enum Sourced {}
/// Channels of Dispatch, which read and write by themselves.
enum Channelled {}
/// A thread for what blocks.
enum Threaded {}
/// Async functions and async sequences.
enum Async {}

// MARK: What goes wrong

/// Code as it stands in guides and answers.
enum AsPublished {}
/// A source whose descriptor is closed while its handler may still use it.
enum ClosedEarly {}
/// Two sources of one descriptor, of which the first that ends closes it.
enum FirstCloses {}
/// A stream that keeps all that comes.
enum Unbounded {}
/// A message that is sent whole before the answer is read.
enum InTurn {}
/// A read that waits, on a queue of other work.
enum BlockingRead {}
