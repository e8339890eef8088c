import CInterleaving

/// What a thread runs jobs for: whoever receives those that the thread makes ready.
///
/// A class, since the runtime finds it through a pointer, at every job.
class JobReceiver: @unchecked Sendable {
  // Sendable: the seat is set while one thread has the turn; what a subclass has is its own to guard.

  /// How threads that work for it find it; it is good as long as the receiver is.
  let seat = UnsafeMutablePointer<interleaving_seat>.allocate(capacity: 1)

  /// - Parameter watch: Who watches what they do; it outlives the receiver.
  init(_ watch: OpaquePointer) {
    seat.initialize(to: interleaving_make_seat(Unmanaged.passUnretained(self).toOpaque(), watch))
  }

  deinit {
    seat.pointee.choices?.deallocate()
    seat.deallocate()
  }

  /// Keeps the choices of an execution where they can be written even though the process ends.
  final func note(choice: Int, at index: Int) {
    if index >= choiceCapacity {
      let (old, capacity) = (seat.pointee.choices, max(64, 2 * choiceCapacity))
      let new = UnsafeMutablePointer<UInt16>.allocate(capacity: capacity)
      if let old { new.update(from: old, count: index) }
      seat.pointee.choices = new
      choiceCapacity = capacity
      old?.deallocate()
    }
    seat.pointee.choices![index] = UInt16(truncatingIfNeeded: choice)
    seat.pointee.choice_count = Int32(index + 1)
  }

  private var choiceCapacity = 0

  /// Runs code of the explorer's, called by the scenario's: what that does is watched, and this is not.
  @inline(__always)
  final func apart<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
    // Threads that nobody controls call, too.
    guard interleaving_get_seat() == seat else { return try body() }
    let wasInScenario = seat.pointee.is_in_scenario
    interleaving_set_in_scenario(seat, false)
    defer { interleaving_set_in_scenario(seat, wasInScenario) }
    return try body()
  }

  /// A job is ready.
  func receive(_ job: UnownedJob, isOnMain: Bool) { preconditionFailure("a subclass receives") }

  /// The executor of the main actor for the calling thread.
  func mainExecutor() -> UnownedSerialExecutor { preconditionFailure("a subclass has one") }

  /// The scenario's code is about to use memory at a place that is a scheduling point.
  func use(_ memory: UnsafeRawPointer, at place: Place, isWrite: Bool) {}

  /// The scenario's code is about to use what a library or the system keeps, at a place that is a scheduling point.
  ///
  /// - Parameters:
  ///   - what: A verb, or the symbol of the function that it calls.
  ///   - name: What that is done to.
  func useKept(
    _ uses: [interleaving_kept_use], by what: UnsafePointer<CChar>, of name: String?,
    at place: Place
  ) {}

  /// The scenario's code is about to do something to an atomic or a lock.
  ///
  /// - Parameters:
  ///   - other: The mutex of a condition.
  ///   - duration: For how long it is waited for at most; nil if for ever.
  /// - Returns: Whether that succeeds.
  func operate(
    _ operation: RealOperation, on object: UnsafeRawPointer, with other: UnsafeRawPointer?,
    for duration: Duration?, at place: Place
  ) -> Bool { true }

  /// The time that the scenario's code reads, since the execution began.
  ///
  /// - Parameter place: Where it does; nowhere, if the runtime reads it for itself.
  func readTime(at place: Place) -> Duration { .zero }

  /// The running strand has trapped.
  ///
  /// - Parameters:
  ///   - message: What the runtime has said of it, if anything.
  ///   - places: Where in the program that was, from the inside out.
  func trap(_ message: String, at places: [Place]) -> Never { preconditionFailure("\(message)") }

  /// The step under way, which the calling thread is in the midst of, does not come to its end; returns if it may take
  /// longer.
  ///
  /// - Parameter isWaiting: Whether it waits for the system.
  func stop(isWaiting: Bool, at places: [Place]) {}

  /// The scenario's code has made a lock, or destroyed it.
  func make(_ lock: UnsafeRawPointer, _ isNew: Bool) {}

  /// The scenario's code makes a UUID: what tells it from all others, if a strand does.
  func makeIdentity() -> (UInt64, UInt64)? { nil }
}
