public actor HintClock<Time: Clock> where Time.Duration == Duration {
  private let clock: Time
  private let show: @Sendable () -> Void
  private(set) var hint: Task<Void, Never>?

  public init(on clock: Time, show: @escaping @Sendable () -> Void) {
    self.clock = clock
    self.show = show
  }

  public func screenAppears(hintAfter delay: Duration) {
    hint?.cancel()
    hint = Task {
      do {
        try await clock.sleep(for: delay)
        try Task.checkCancellation()  // taken back after it was due, and before it came to run
        show()
      } catch {}  // cancelled: there is nobody left to show it to
    }
  }

  /// Takes the hint back; when this returns, it has either been shown or will never be.
  public func screenDisappears() async {
    hint?.cancel()
    await hint?.value
  }

  /// Waits until the hint was shown or taken back.
  public func finish() async {
    await hint?.value
  }
}
