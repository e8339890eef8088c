/// Something that happened at a door.
struct DoorEvent: Sendable {
  let badge: Int
  let action: String

  var line: String { "\(action) \(badge)" }
}

/// Keeps a record of what happens at a door, in the order in which it happens.
///
/// The check uses `AuditLog.init`, `record`, `close` and `DoorEvent.init`. `record` stays a plain
/// function: a door does not wait for a disk.
final class AuditLog: Sendable {
  // region input
  private let input: AsyncStream<DoorEvent>.Continuation
  private let writer: Task<Void, Never>
  // endregion

  // region init
  /// - Parameter write: Writes one line to the disk; takes its time, and gives up if its task is
  ///   cancelled.
  init(write: @escaping @Sendable (String) async -> Void) {
    let (events, input) = AsyncStream.makeStream(of: DoorEvent.self)
    self.input = input
    writer = Task {
      for await event in events { await write(event.line) }
    }
  }
  // endregion

  /// Takes an event, and returns without waiting until it is written.
  func record(_ event: DoorEvent) {
    input.yield(event)
  }

  // region close
  /// Closes the log; nothing is recorded after.
  func close() async {
    input.finish()
    await writer.value
  }
  // endregion
}
