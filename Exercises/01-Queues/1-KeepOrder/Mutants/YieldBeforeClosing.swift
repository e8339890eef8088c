// Looks right: a stream keeps the order, and close gives the consumer a chance to catch up. Wrong: a
// yield lets others go on, and waits for nobody.

/// Something that happened at a door.
struct DoorEvent: Sendable {
  let badge: Int
  let action: String

  var line: String { "\(action) \(badge)" }
}

/// Keeps a record of what happens at a door, in the order in which it happens.
final class AuditLog: Sendable {
  private let input: AsyncStream<DoorEvent>.Continuation

  init(write: @escaping @Sendable (String) async -> Void) {
    let (events, input) = AsyncStream.makeStream(of: DoorEvent.self)
    self.input = input
    Task {
      for await event in events { await write(event.line) }
    }
  }

  func record(_ event: DoorEvent) {
    input.yield(event)
  }

  func close() async {
    input.finish()
    await Task.yield()
  }
}
