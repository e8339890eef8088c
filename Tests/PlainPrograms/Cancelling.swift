import Foundation
import Synchronization

// What is cancelled here has handlers that take locks, resume, remove and hop to a queue, as cancellable code does.

private struct Numbers: AsyncSequence, AsyncIteratorProtocol, Sendable {
  var numbers: Range<Int>
  init(_ numbers: Range<Int>) { self.numbers = numbers }
  mutating func next() async -> Int? { numbers.popFirst() }
  func makeAsyncIterator() -> Numbers { self }
}

/// First come, first served; who is cancelled meanwhile leaves the line.
private final class Semaphore: Sendable {
  private typealias Waiter = (id: UUID, continuation: CheckedContinuation<Void, any Error>)
  private let state: Mutex<(count: Int, waiters: [Waiter])>

  init(_ count: Int) { state = Mutex((count, [])) }

  func wait() async throws {
    let id = UUID()
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Void, any Error>? = state.withLock { state in
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.count > 0 {
            state.count -= 1
            return .success(())
          }
          state.waiters.append((id, continuation))
          return nil
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
      }
      waiter?.continuation.resume(throwing: CancellationError())
    }
  }

  func signal() {
    let waiter: Waiter? = state.withLock { state in
      if state.waiters.isEmpty {
        state.count += 1
        return nil
      }
      return state.waiters.removeFirst()
    }
    waiter?.continuation.resume()
  }
}

extension StepProgram {
  /// With a stand-in of Dispatch's queue, so that it runs in an exploration only.
  public static let hopping = StepProgram(
    "a handler that hops to a queue", ["resumed"], atMost: 20
  ) {
    let queue = DispatchQueue(label: "queue")
    let task = Task {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
      } onCancel: {
        queue.async {}
      }
      return "resumed"
    }
    task.cancel()
    return await task.value
  }

  /// Programs that are cancelled, each with how many schedules a reduction needs at most.
  public static let cancelling: [StepProgram] = [
    StepProgram(
      "two want a semaphore, and one is cancelled", ["a b", "b a", "a -b", "-b a"], atMost: 300
    ) { await hold(["a", "b"]) },
    StepProgram(
      "three want a semaphore, and one is cancelled",
      [
        "a b c", "a c b", "b a c", "b c a", "c a b", "c b a",
        "a -b c", "a c -b", "-b a c", "-b c a", "c a -b", "c -b a",
      ], atMost: 10_000
    ) { await hold(["a", "b", "c"]) },
    StepProgram(
      "a channel whose sender is cancelled", ["sent 1", "not sent nil"], atMost: 500
    ) {
      let channel = Channel<Int>()
      let sender = Task {
        let isSent = await channel.send(1)
        if !isSent { channel.finish() }
        return isSent
      }
      let receiver = Task { await channel.receive() }
      sender.cancel()
      let isSent = await sender.value
      return (isSent ? "sent " : "not sent ") + (await receiver.value.map(String.init) ?? "nil")
    },
    StepProgram(
      "a channel whose receiver is cancelled", ["sent 1", "not sent nil"], atMost: 500
    ) {
      let channel = Channel<Int>()
      let receiver = Task {
        let number = await channel.receive()
        if number == nil { channel.finish() }
        return number
      }
      let sender = Task { await channel.send(1) }
      receiver.cancel()
      let number = await receiver.value
      return (await sender.value ? "sent " : "not sent ") + (number.map(String.init) ?? "nil")
    },
    StepProgram("two sequences of two, zipped", ["15 26"], atMost: 1_000) {
      let pairs = try? await zip(Numbers(1..<3), Numbers(5..<7))
      return pairs?.map { "\($0)\($1)" }.joined(separator: " ") ?? "thrown"
    },
    StepProgram(
      "two sequences of two, merged", ["1256", "1526", "1562", "5126", "5162", "5612"],
      atMost: 1_000
    ) {
      let numbers = try? await merge([Numbers(1..<3), Numbers(5..<7)])
      return numbers?.map(String.init).joined() ?? "thrown"
    },
  ]

  /// Each holds a semaphore of one permit; the second is cancelled.
  private static func hold(_ names: [String]) async -> String {
    let (semaphore, log) = (Semaphore(1), Log())
    let tasks = names.map { name in
      Task {
        do {
          try await semaphore.wait()
          log.say(name)
          semaphore.signal()
        } catch {
          log.say("-" + name)
        }
      }
    }
    tasks[1].cancel()
    for task in tasks { await task.value }
    return log.text
  }
}
