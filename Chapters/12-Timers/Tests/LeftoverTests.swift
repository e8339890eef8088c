#if os(Linux)
  import Dispatch
  import Foundation
  import Synchronization
  import Testing
  import Workbook

  @testable import Timers

  @Suite(.timeLimit(.minutes(30))) struct LeftoverTests {
    @Test func `timers leave no descriptor and no memory behind`() async {
      // A process of its own: nothing else opens anything meanwhile.
      await #expect(processExitsWith: .success) {
        var before = 0
        for round in 0..<60 {
          for form in SaverForm.all {
            let (document, watched) = (Document(), Kept())
            let saver = try form.begin(
              document, .milliseconds(1), { _ in watched.keep() }, { _ in })
            document.edit("a")
            if round % 2 == 0 { await saver.pause() }
            try await saver.close()
          }
          for await _ in try one().debounced(for: .hour) {}
          for await _ in try one().throttled(every: .hour) {}
          if round == 10 { before = try descriptors() }
        }
        // Of a source that is cancelled, the handlers go some time after it.
        let guardAgainstHanging = ContinuousClock.now + .seconds(60)
        while Kept.count > 0, ContinuousClock.now < guardAgainstHanging { await Task.yield() }
        #expect(Kept.count == 0)
        // Dispatch opens a few for itself when it first needs them. A timer that left one would leave 50.
        #expect(try descriptors() < before + 10)
      }
    }
  }

  /// A stream of one element.
  private func one() -> AsyncStream<Int> {
    AsyncStream { continuation in
      continuation.yield(1)
      continuation.finish()
    }
  }

  private func descriptors() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
  }

  /// What a write closure keeps, counted.
  private final class Kept: Sendable {
    private static let alive = Mutex(0)

    static var count: Int { alive.withLock { $0 } }

    init() { Self.alive.withLock { $0 += 1 } }
    deinit { Self.alive.withLock { $0 -= 1 } }

    func keep() {}
  }
#endif
