extension Awaited {
  @MainActor
  final class Hint {
    private let clock: any Clock<Duration>
    private let show: @MainActor () -> Void
    private(set) var hint: Task<Void, Never>?

    init(on clock: any Clock<Duration> = .continuous, show: @escaping @MainActor () -> Void) {
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

    /// A hint that is not shown yet never will be, since both are the main actor's.
    func screenDisappears() {
      hint?.cancel()
    }
  }
}
