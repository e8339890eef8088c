extension ErrorDropped {
  /// Hands over a value when no other has come for a while, by a task for each that the next one cancels.
  actor Debounce<Value: Sendable> {
    private let delay: Duration
    private let clock: any Clock<Duration>
    private let give: @Sendable (Value) -> Void
    private(set) var pending: Task<Void, Never>?

    init(
      for delay: Duration, on clock: any Clock<Duration>, give: @escaping @Sendable (Value) -> Void
    ) {
      self.delay = delay
      self.clock = clock
      self.give = give
    }

    func send(_ value: Value) {
      pending?.cancel()
      pending = Task {
        try? await clock.sleep(for: delay)
        give(value)
      }
    }
  }
}
