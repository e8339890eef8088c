import Foundation
import Synchronization
import Testing
import Workbook

@testable import Callbacks

@Suite(.timeLimit(.minutes(30))) struct FutureTests {
  private struct Refused: Error {}

  @Test func `callbacks come in their order, and a late one comes at once`() {
    let (future, transcript) = (Future<Int>(), Transcript())
    future.whenResolved { transcript.say("first \($0)") }
    future.whenResolved { transcript.say("second \($0)") }
    future.resolve(with: .success(1))
    future.resolve(with: .success(2))
    future.whenResolved { transcript.say("late \($0)") }
    #expect(transcript.steps == ["first success(1)", "second success(1)", "late success(1)"])
  }

  @Test func `an error passes map and flatMap, and recover takes it`() throws {
    let transcript = Transcript()
    let future = Future<Int>()
    let chain = future.map { number in
      if number > 0 { throw Refused() }
      return number
    }.map { _ in
      transcript.say("not called")
      return 0
    }.flatMap { _ in
      Future<Int>(.success(0))
    }
    chain.whenResolved {
      if case .failure(is Refused) = $0 { transcript.say("refused") }
    }
    chain.recover { error in error is Refused ? 7 : 0 }.whenResolved { transcript.say("\($0)") }
    future.resolve(with: .success(1))
    #expect(transcript.steps == ["refused", "success(7)"])
  }

  @Test func `a callback may ask its own future, which is not locked`() {
    let (future, transcript) = (Future<Int>(), Transcript())
    future.whenResolved { _ in
      future.whenResolved { transcript.say("again \($0)") }
      future.resolve(with: .success(2))
    }
    future.resolve(with: .success(1))
    #expect(transcript.steps == ["again success(1)"])
  }

  @Test func `flatMap waits for the future that it is given`() {
    let (first, second, transcript) = (Future<Int>(), Future<Int>(), Transcript())
    first.flatMap { _ in second }.whenResolved { transcript.say("\($0)") }
    first.resolve(with: .success(1))
    #expect(transcript.steps == [])
    second.resolve(with: .success(2))
    #expect(transcript.steps == ["success(2)"])
  }

  @Test(arguments: [false, true])
  func `a chain of 50,000 needs no deep stack`(_ isResolvedFirst: Bool) async {
    // A process of its own, which a stack that overflows ends.
    if isResolvedFirst {
      await #expect(processExitsWith: .success) { #expect(chain(resolvedFirst: true) == 50_000) }
    } else {
      await #expect(processExitsWith: .success) { #expect(chain(resolvedFirst: false) == 50_000) }
    }
  }
}

/// Counts along a chain of 50,000 futures.
private func chain(resolvedFirst isResolvedFirst: Bool) -> Int {
  let head = Future<Int>()
  let count = Mutex(-1)
  if isResolvedFirst { head.resolve(with: .success(0)) }
  var future = head
  for _ in 0..<50_000 { future = future.map { $0 + 1 } }
  future.whenResolved { result in count.withLock { $0 = (try? result.get()) ?? -1 } }
  head.resolve(with: .success(0))
  return count.withLock { $0 }
}
