import CInterleaving

/// What a thread runs jobs for: whoever receives those that the thread makes ready.
///
/// A class, since the runtime finds it through a pointer, at every job.
class JobReceiver: @unchecked Sendable {
  // Sendable: the seat is set while one thread has the turn; what a subclass has is its own to guard.

  /// How threads that work for it find it; it is good as long as the receiver is.
  let seat = UnsafeMutablePointer<interleaving_seat>.allocate(capacity: 1)

  init() {
    seat.initialize(
      to: interleaving_seat(
        receiver: Unmanaged.passUnretained(self).toOpaque(), tracks_order: false))
  }

  deinit { seat.deallocate() }

  /// Whether the runtime's synchronisation is told.
  final var tracksOrder: Bool {
    get { seat.pointee.tracks_order }
    set { seat.pointee.tracks_order = newValue }
  }

  /// A job is ready.
  func receive(_ job: UnownedJob, isOnMain: Bool) { preconditionFailure("a subclass receives") }

  /// The executor of the main actor for the calling thread.
  func mainExecutor() -> UnownedSerialExecutor { preconditionFailure("a subclass has one") }

  /// The running task has used a job or a mutex of the runtime, by which tasks are ordered.
  func synchronize(by address: UnsafeRawPointer, _ use: RuntimeUse) {}
}

/// How something of the runtime's was used: what came before its releases comes before what follows an
/// acquisition; and nothing does where it is new.
enum RuntimeUse { case acquired, released, made }
