import Foundation
import Interleaving
import Synchronization
import Testing

/// Explorations beside each other and beside ordinary tasks.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SideBySideTests {
  private actor Counter {
    private(set) var value = 0
    func add() { value += 1 }
    func set(_ value: Int) { self.value = value }
  }

  @Test func `sixteen explorations and ordinary tasks do not disturb each other`() async {
    let stop = AtomicFlag()
    await withTaskGroup { group in
      for kind in 0..<4 {
        group.addTask { await Self.ordinary(kind, until: stop) }
      }
      await withTaskGroup { explorations in
        for index in 0..<16 {
          explorations.addTask {
            let exploration = await explore(.preemptionBounded(2)) {
              let counter = Counter()
              let tasks = (0..<2).map { _ in
                Task {
                  let read = await counter.value
                  if index.isMultiple(of: 2) {
                    try? await Task.sleep(for: .seconds(60))
                  } else {
                    await MainActor.run {}
                  }
                  await counter.set(read + 1)
                }
              }
              for task in tasks { await task.value }
              return await counter.value
            }
            #expect(Set(exploration.outcomes.keys) == [1, 2])
            #expect(exploration.completeness == .bounded(preemptions: 2))
            #expect(exploration.failures.isEmpty, "\(exploration)")
          }
        }
      }
      stop.set()
    }
  }

  /// What other tests do meanwhile: tasks, actors, the main actor and real sleep.
  private static func ordinary(_ kind: Int, until stop: AtomicFlag) async {
    repeat {
      switch kind {
      case 0:
        let counter = Counter()
        await withTaskGroup { group in
          for _ in 0..<100 { group.addTask { await counter.add() } }
        }
        #expect(await counter.value == 100)
      case 1:
        #expect(await Task.detached { await Task { 7 }.value }.value == 7)
      case 2:
        let began = ContinuousClock.now
        try? await Task.sleep(for: .milliseconds(2))
        #expect(ContinuousClock.now - began >= .milliseconds(2))
      default:
        await MainActor.run { MainActor.assertIsolated() }
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        Task.detached {
          for number in 1...10 { continuation.yield(number) }
          continuation.finish()
        }
        #expect(await stream.reduce(0, +) == 55)
      }
    } while !stop.isSet
  }
}
