import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// A desk that answers on a queue, in this order; after a cancellation it says nothing more.
private final class TestDesk: Desk {
  struct Lost: Error {}

  private let answers: [Result<String, any Error>]
  private let isEarly: Bool
  private let saysSo: Bool
  private let queue = DispatchQueue(label: "desk")
  private let asked = Mutex(0)
  private let cancelled = Mutex(false)

  /// - Parameters:
  ///   - isEarly: Whether it answers before `ask` returns.
  ///   - saysSo: Whether it calls back with an error when it is cancelled.
  init(_ answers: Result<String, any Error>..., early isEarly: Bool = false, saysSo: Bool = false) {
    self.answers = answers
    self.isEarly = isEarly
    self.saysSo = saysSo
  }

  /// Whether nobody waits for it: nobody asked, or the request is cancelled.
  var isLeft: Bool { isCancelled || asked.withLock { $0 } == 0 }

  private var isCancelled: Bool { cancelled.withLock { $0 } }

  func ask(
    _ question: String, completion: @escaping @Sendable (Result<String, any Error>) -> Void
  ) -> @Sendable () -> Void {
    asked.withLock { $0 += 1 }
    let answers = answers
    if isEarly {
      for answer in answers { completion(answer) }
    } else {
      for answer in answers {
        queue.async { [self] in
          if !isCancelled { completion(answer) }
        }
      }
    }
    return { [self] in
      cancelled.withLock { $0 = true }
      if saysSo { completion(.failure(Lost())) }
    }
  }
}

@Sendable private func asking(_ desk: TestDesk) async -> String {
  do {
    return try await answer(to: "What is new?", from: desk)
  } catch is CancellationError {
    return "CancellationError"
  } catch is TestDesk.Lost {
    return "its error"
  } catch {
    return "\(error)"
  }
}

@Test func `the answer is returned, and the error is thrown`() async {
  await everyOrder(gives: "rain") { await asking(TestDesk(.success("rain"))) }
  await everyOrder(gives: "its error") { await asking(TestDesk(.failure(TestDesk.Lost()))) }
}

@Test func `an answer that comes before the call returns is returned, too`() async {
  await everyOrder(gives: "rain") { await asking(TestDesk(.success("rain"), early: true)) }
}

@Test func `of two answers the first one counts`() async {
  await everyOrder(gives: "rain") {
    await asking(TestDesk(.success("rain"), .success("snow")))
  }
  await everyOrder(gives: "rain") {
    await asking(TestDesk(.success("rain"), .failure(TestDesk.Lost()), early: true))
  }
}

@Test func `a task that is cancelled goes on without an answer, and its request ends`() async {
  await everyOrder(gives: "CancellationError, request cancelled") {
    let desk = TestDesk()
    let task = Task(name: "caller") { await asking(desk) }
    task.cancel()
    let word = await task.value
    return word + (desk.isLeft ? ", request cancelled" : ", request goes on")
  }
}

@Test func `what a desk says to a cancellation is no answer`() async {
  await everyOrder(gives: "CancellationError") {
    let desk = TestDesk(saysSo: true)
    let task = Task(name: "caller") { await asking(desk) }
    task.cancel()
    return await task.value
  }
}

@Test func `an answer that meets a cancellation gives one of the two`() async {
  await everyOrder(gives: "rain", "CancellationError") {
    let desk = TestDesk(.success("rain"), .success("snow"))
    let task = Task(name: "caller") { await asking(desk) }
    task.cancel()
    return await task.value
  }
}
