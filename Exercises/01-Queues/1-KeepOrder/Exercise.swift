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
  private let write: @Sendable (String) async -> Void

  /// - Parameter write: Writes one line to the disk; takes its time, and gives up if its task is
  ///   cancelled.
  init(write: @escaping @Sendable (String) async -> Void) {
    self.write = write
  }

  /// Takes an event, and returns without waiting until it is written.
  func record(_ event: DoorEvent) {
    // Was: queue.async { … }, on a serial queue.
    // TODO: Write the events in the order of the calls, and have close return when all are written.
    Task { await write(event.line) }
  }

  /// Closes the log; nothing is recorded after.
  func close() async {
    // Was: queue.sync {}
  }
}
