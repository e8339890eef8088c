import Testing

@testable import Interleaving

@Suite(.serialized, .timeLimit(.minutes(30))) struct DeadlockTests {
  /// Three philosophers, each with the fork at its left first, or with the lower one first.
  static func dine<S: AsyncSemaphore>(with type: S.Type, inOrder: Bool) async -> Int {
    let forks = (1...3).map { (Resource("fork \($0)"), S(1)) }
    return await withTaskGroup { group in
      for seat in 0..<3 {
        group.addTask(name: "philosopher \(seat + 1)") {
          let right = (seat + 1) % 3
          let order = inOrder ? [min(seat, right), max(seat, right)] : [seat, right]
          await forks[order[0]].0.acquire { await forks[order[0]].1.wait() }
          await Task.yield()
          await forks[order[1]].0.acquire { await forks[order[1]].1.wait() }
          for fork in order { await forks[fork].0.release { await forks[fork].1.signal() } }
          return 1
        }
      }
      return await group.reduce(0, +)
    }
  }

  /// The semaphores, and a strategy that completes with them.
  static let semaphores: [(any AsyncSemaphore.Type, Strategy)] =
    [(MutexSemaphore.self, .exhaustive)]
    + (SwiftRuntime.isSanitized ? [] : [(ActorSemaphore.self, .reduced(assuming: .actorIsolation))])

  @Test(arguments: semaphores)
  func `three philosophers, each the left fork first: the cycle of three`(
    semaphore: any AsyncSemaphore.Type, strategy: Strategy
  ) async {
    let exploration = await explore(strategy) { await Self.dine(with: semaphore, inOrder: false) }
    #expect(exploration.failures.map(\.kind) == [.deadlock])
    #expect(
      exploration.failures.first?.message.withoutLines == """
        a cycle of 3: philosopher 1 waits for fork 2, held by philosopher 2; philosopher 2 waits for \
        fork 3, held by philosopher 3; philosopher 3 waits for fork 1, held by philosopher 1
        """)
  }

  @Test(arguments: semaphores)
  func `three philosophers, forks in order: no deadlock, complete`(
    semaphore: any AsyncSemaphore.Type, strategy: Strategy
  ) async {
    let exploration = await explore(strategy) { await Self.dine(with: semaphore, inOrder: true) }
    #expect(Set(exploration.outcomes.keys) == [3])
    #expect(exploration.failures.isEmpty)
    #expect(exploration.isComplete)
  }

  /// Holds a task that is made after the one that awaits it.
  private actor Slot {
    var task: Task<Void, Never>?
    func put(_ task: Task<Void, Never>) { self.task = task }
  }

  @Test func `two tasks that await each other's values`() async {
    // Those that yield for ever are cut off.
    let exploration = await explore(steps: 300) {
      let slot = Slot()
      let first = Task(name: "first") {
        while await slot.task == nil { await Task.yield() }
        await slot.task?.value
      }
      let second = Task(name: "second") { await first.value }
      await slot.put(second)
      await first.value
    }
    let deadlock = exploration.failures.first { $0.kind == .deadlock }
    #expect(
      deadlock?.message.withoutLines == """
        a cycle of 2: first waits for the value of second; second waits for the value of first
        """)
  }

  @Test func `a continuation that nobody resumes`() async throws {
    let exploration = await explore {
      let box = Shared<CheckedContinuation<Void, Never>?>(nil)
      await withCheckedContinuation { box.value = $0 }
      withExtendedLifetime(box) {}
    }
    let failure = try #require(exploration.failures.first)
    #expect(failure.kind == .deadlock)
    #expect(failure.message.contains("suspected"))
    #expect(failure.message.contains("DeadlockTests.swift:") == SwiftRuntime.findsLines)
  }

  @Test func `a continuation that is resumed twice`() async {
    let exploration = await explore {
      await withCheckedContinuation { continuation in
        continuation.resume()
        continuation.resume()
      }
    }
    #expect(exploration.failures.map(\.kind) == [.resumedTwice])
  }

  @Test func `a stream that is never finished`() async {
    let exploration = await explore {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let reader = Task(name: "reader") { await stream.reduce(0, +) }
      continuation.yield(1)
      let sum = await reader.value
      withExtendedLifetime(continuation) {}
      return sum
    }
    #expect(exploration.failures.map(\.kind) == [.deadlock])
    let cured = await explore {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let reader = Task(name: "reader") { await stream.reduce(0, +) }
      continuation.yield(1)
      continuation.finish()
      return await reader.value
    }
    #expect(Set(cured.outcomes.keys) == [1])
    #expect(cured.failures.isEmpty)
    #expect(cured.isComplete)
  }

  @Test func `a group waits for its children, and for no other task`() async {
    let exploration = await explore {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let other = Task(name: "other") { for await _ in stream {} }
      await withTaskGroup { group in
        group.addTask(name: "child") { for await _ in stream {} }
      }
      withExtendedLifetime((continuation, other)) {}
    }
    #expect(
      exploration.failures.contains {
        $0.kind == .deadlock
          && $0.trace?.steps.flatMap(\.notes).map(\.text).contains("waits for its child task child")
            == true
      })
  }

  @Test func `a task at the address of one that has ended is another`() async {
    let exploration = await explore {
      for _ in 0..<3 { await Task {}.value }
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task(name: "reader") {
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      }
    }
    #expect(exploration.failures.map(\.kind) == [.leak])
    #expect(exploration.failures.first?.message.contains("reader") == true)
  }

  @Test func `a task that outlives the scenario is a leak`() async {
    let exploration = await explore {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task(name: "reader") {
        for await _ in stream {}
        withExtendedLifetime(continuation) {}
      }
    }
    #expect(exploration.failures.map(\.kind) == [.leak])
  }
}

extension String {
  /// The message without the places in the source that it names.
  fileprivate var withoutLines: String { replacing(/\ \(\w+\.swift:\d+\)/, with: "") }
}
