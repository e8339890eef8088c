import Dispatch
import Synchronization
import Testing

@testable import Timers

/// What is over lets go of all that it was given.
@Suite(.timeLimit(.minutes(30))) struct LeftoverTests {
  @Test(arguments: SaverForm.all, [false, true])
  func `an autosaver that is closed, paused or not`(
    _ form: SaverForm, _ isPaused: Bool
  ) async throws {
    try await expectLetGo { kept in
      let document = Document("a")
      let saver = try form.begin(document, .milliseconds(1), { _ in kept.keep() }, { _ in })
      if isPaused { await saver.pause() }
      try await saver.close()
    }
  }

  @Test(arguments: [false, true])
  func `an autosaver of the source's side that nobody keeps, paused or not`(
    _ isPaused: Bool
  ) async throws {
    try await expectLetGo { kept in
      let saver = try Sourced.Autosaver(Document("a"), every: .milliseconds(1)) { _ in
        kept.keep()
      } report: { _ in
      }
      if isPaused { saver.pause() }
    }
  }

  @Test func `a debounced and a throttled stream`() async throws {
    try await expectLetGo { kept in
      let stream = {
        AsyncStream {
          $0.yield(kept)
          $0.finish()
        }
      }
      for await _ in try stream().debounced(for: .hour) {}
      for await _ in try stream().throttled(every: .hour) {}
    }
  }

  @Test func `a time limit whose work has ended, long before the limit`() async throws {
    try await expectLetGo { kept in
      let results = Notes<Int>()
      _ = try Queued.TimeLimit<Int>(.hour, on: DispatchQueue(label: "limit")) { completion in
        completion(.success(1))
        return { kept.keep() }
      } then: {
        kept.keep()
        results.note((try? $0.get()) ?? 0)
      }
      await results.wait(for: 1)
    }
  }

  private func expectLetGo(_ body: (Kept) async throws -> Void) async throws {
    weak var watched: Kept?
    do {
      let kept = Kept()
      watched = kept
      try await body(kept)
    }
    // Of a source that is cancelled, the handlers go some time after it.
    let guardAgainstHanging = ContinuousClock.now + .seconds(20)
    while watched != nil, ContinuousClock.now < guardAgainstHanging { await Task.yield() }
    #expect(watched == nil)
  }

  private final class Kept: Sendable {
    func keep() {}
  }
}
