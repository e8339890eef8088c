/// What a thread runs jobs for: whoever receives those that the thread makes ready.
///
/// A class, since the runtime's hooks find it through a pointer, at every job.
class JobReceiver: @unchecked Sendable {
  // Sendable: it has no state; what a subclass has is its own to guard.

  /// A job is ready.
  func receive(_ job: UnownedJob, isOnMain: Bool) {
    preconditionFailure("a subclass receives jobs")
  }

  /// The executor of the main actor for the calling thread.
  func mainExecutor() -> UnownedSerialExecutor {
    preconditionFailure("a subclass has a main executor")
  }
}
