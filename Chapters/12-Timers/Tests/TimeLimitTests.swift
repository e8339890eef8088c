import ChapterTesting
import Dispatch
import Foundation
import Interleaving
import InterleavingTesting
import Synchronization
import Testing
import Workbook

@testable import Timers

@Suite(.timeLimit(.minutes(30))) struct TimeLimitTests {
  struct Failure: Error, Equatable {}

  /// A form of the time limit; work that never ends by itself tells `cancelled`.
  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let run: @Sendable (Duration, Result<Int, Failure>?, _ cancelled: Gate) async throws -> Int

    static let all = [
      Form(testDescription: "queue") { limit, outcome, cancelled in
        let queue = DispatchQueue(label: "limit")
        return try await withCheckedThrowingContinuation { continuation in
          do {
            _ = try Queued.TimeLimit<Int>(limit, on: queue) { completion in
              if let outcome { completion(outcome.mapError { $0 }) }
              return { cancelled.open() }
            } then: {
              continuation.resume(with: $0)
            }
          } catch { continuation.resume(throwing: error) }
        }
      },
      Form(testDescription: "clock") { limit, outcome, cancelled in
        try await Clocked.withTimeLimit(limit) {
          if let outcome { return try outcome.get() }
          await withTaskCancellationHandler {
            await cancelled.wait()
          } onCancel: {
            cancelled.open()
          }
          throw CancellationError()
        }
      },
    ]
  }

  @Test(arguments: Form.all)
  func `work that ends in time gives its value or its error`(_ form: Form) async throws {
    #expect(try await form.run(.hour, .success(7), Gate()) == 7)
    await #expect(throws: Failure()) {
      try await form.run(.hour, .failure(Failure()), Gate())
    }
  }

  @Test(arguments: Form.all)
  func `work that takes too long is cancelled, and its caller is told`(_ form: Form) async throws {
    let cancelled = Gate()
    await #expect(throws: TimedOut(limit: .milliseconds(1))) {
      try await form.run(.milliseconds(1), nil, cancelled)
    }
    await cancelled.wait()
    #expect("\(TimedOut(limit: .seconds(2)))" == "not known to be saved within 2.0 seconds")
  }

  @Test func `a value behind the limit is dropped`() async throws {
    let (results, queue) = (Notes<String>(), DispatchQueue(label: "limit"))
    let note = { @Sendable (result: Result<Int, any Error>) in results.note("\(result)") }
    _ = try Queued.TimeLimit<Int>(.zero, on: queue) { completion in
      { completion(.success(7)) }
    } then: {
      note($0)
      // Behind what the cancellation asks for.
      queue.async { queue.async { note(.success(0)) } }
    }
    await results.wait(for: 2)
    let timedOut = "\(Result<Int, any Error>.failure(TimedOut(limit: .zero)))"
    #expect(results.values == [timedOut, "success(0)"])
  }

  @Test func `on a clock it waits for work that goes on behind the limit, and drops its value`()
    async throws
  {
    let (clock, mayEnd, isCancelled, ended) = (VirtualClock(), Gate(), Gate(), Notes<Int>())
    let limited = Task {
      try await Clocked.withTimeLimit(.seconds(2), on: clock) {
        await withTaskCancellationHandler {
          await mayEnd.wait()
        } onCancel: {
          isCancelled.open()
        }
        ended.note(7)
        return 7
      }
    }
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(2))
    await isCancelled.wait()
    mayEnd.open()
    await #expect(throws: TimedOut(limit: .seconds(2))) { try await limited.value }
    #expect(ended.values == [7])
  }

  @Test(arguments: Form.all)
  func `a limit that cannot be kept is refused, and no work begins`(_ form: Form) async throws {
    await #expect(throws: TimingError(kind: .delay, value: .seconds(-1))) {
      try await form.run(.seconds(-1), .success(7), Gate())
    }
  }

  @Test func `the first result counts`() async throws {
    let results = Notes<Int>()
    let queue = DispatchQueue(label: "limit")
    try queue.sync {
      _ = try Queued.TimeLimit<Int>(.zero, on: queue) { completion in
        completion(.success(1))
        completion(.success(2))
        return {}
      } then: {
        results.note((try? $0.get()) ?? 0)
      }
    }
    await results.wait(for: 1)
    // What is due is in the queue by now, or comes before what is asked for later.
    let isOver = Gate()
    queue.asyncAfter(deadline: .now() + .milliseconds(1)) { isOver.open() }
    await isOver.wait()
    #expect(results.values == [1])
  }

  @Test(.explored) func `in virtual time, under every schedule`() async {
    for (duration, expected) in [
      (1, ["7 at 1"]), (2, ["7 at 2", "TimedOut at 2"]), (3, ["TimedOut at 2"]),
    ] {
      let exploration = await exploreAsIfWorkTookNoTime {
        let start = ContinuousClock.now
        let told: String
        do {
          told = try await Clocked.withTimeLimit(.seconds(2)) {
            try await Task.sleep(for: .seconds(duration))
            return "7"
          }
        } catch { told = "\(type(of: error))" }
        return "\(told) at \(Int((ContinuousClock.now - start) / .seconds(1)))"
      }
      #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
      #expect(Set(exploration.outcomes.keys) == Set(expected), "\(exploration)")
    }
  }
}
