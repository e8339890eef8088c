// Looks right: a stream keeps the order, and close gives the consumer a chance to catch up. Wrong: a
// yield lets others go on, and waits for nobody.

extension AuditLog {
  // region input
  private let input: AsyncStream<DoorEvent>.Continuation
  // endregion

  // region init
  init(write: @escaping @Sendable (String) async -> Void) {
    let (events, input) = AsyncStream.makeStream(of: DoorEvent.self)
    self.input = input
    Task {
      for await event in events { await write(event.line) }
    }
  }
  // endregion

  // region close
  func close() async {
    input.finish()
    await Task.yield()
  }
  // endregion
}
