extension Isolated {
  actor Hint {
    private let clock: any Clock<Duration>
    private let show: @Sendable () -> Void
    private(set) var hint: Task<Void, Never>?

    init(on clock: any Clock<Duration> = .continuous, show: @escaping @Sendable () -> Void) {
      self.clock = clock
      self.show = show
    }

    func screenAppears(hintAfter delay: Duration) {
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
    func screenDisappears() async {
      hint?.cancel()
      await hint?.value
    }

    /// Waits until the hint was shown or taken back.
    func finish() async {
      await hint?.value
    }
  }
}
