import ChapterTesting
import Dispatch
import Testing
import Workbook

@testable import Limits

@Suite(.timeLimit(.minutes(30))) struct SemaphoreTests {
  // MARK: The same on both sides

  @Test func `as many pass as there are permits, and one more for each signal`() async throws {
    let old = DispatchSemaphore(value: 2)
    #expect((1...3).map { _ in old.wait(timeout: .now()) } == [.success, .success, .timedOut])
    old.signal()
    #expect(old.wait(timeout: .now()) == .success)
    // A semaphore of Dispatch traps if it goes with fewer permits than it had.
    for _ in 1...2 { old.signal() }

    let new = AsyncSemaphore(permits: 2)
    for _ in 1...2 { try await new.wait() }
    let third = Task.immediate { try await new.wait() }
    #expect(new.waiting == 1)
    new.signal()
    try await third.value
    #expect(new.free == 0)
  }

  @Test func `a body that throws gives its permit back`() async {
    struct Full: Error {}
    let semaphore = AsyncSemaphore(permits: 1)
    await #expect(throws: Full.self) { try await semaphore.withPermit { throw Full() } }
    #expect(semaphore.free == 1)
  }

  @Test func `a task that is cancelled before it waits takes no free permit`() async {
    let semaphore = AsyncSemaphore(permits: 1)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await semaphore.wait()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(semaphore.free == 1)
  }

  @Test func `a cancellation after the permit leaves it with its task`() async throws {
    let semaphore = AsyncSemaphore(permits: 0)
    let task = Task.immediate { try await semaphore.wait() }
    semaphore.signal()
    task.cancel()
    try await task.value
    #expect(semaphore.free == 0)
  }

  // MARK: Against a model

  @Test(arguments: 0..<10)
  func `a thousand sequences keep order and permits, as a model does`(_ part: Int) async throws {
    for seed in part * 100..<part * 100 + 100 {
      var random = Seeded(UInt64(seed))
      let permits = Int.random(in: 0...3, using: &random)
      let semaphore = AsyncSemaphore(permits: permits)
      var model = Model(free: permits)
      var tasks: [Task<Bool, Never>] = []
      for _ in 0..<20 {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          // It has its permit or is in line before this goes on.
          tasks.append(Task.immediate { (try? await semaphore.wait()) != nil })
          model.wait()
        case 2, 3:
          semaphore.signal()
          model.signal()
        default:
          guard !tasks.isEmpty else { continue }
          let waiter = Int.random(in: tasks.indices, using: &random)
          tasks[waiter].cancel()
          model.cancel(waiter)
        }
        #expect(semaphore.free == model.free, "seed \(seed)")
        #expect(semaphore.waiting == model.line.count, "seed \(seed)")
      }
      for waiter in model.line {
        tasks[waiter].cancel()
        model.cancel(waiter)
      }
      for (waiter, task) in tasks.enumerated() {
        #expect(await task.value == model.letIn.contains(waiter), "seed \(seed), waiter \(waiter)")
      }
      #expect(semaphore.free == permits + model.signals - model.letIn.count, "seed \(seed)")
    }
  }

  /// What a semaphore is, said by sets and a list.
  private struct Model {
    var free: Int
    var line: [Int] = []
    var letIn: Set<Int> = []
    var signals = 0
    var came = 0

    mutating func wait() {
      line.append(came)
      came += 1
      serve()
    }

    mutating func signal() {
      signals += 1
      free += 1
      serve()
    }

    mutating func cancel(_ waiter: Int) { line.removeAll { $0 == waiter } }

    private mutating func serve() {
      while free > 0, !line.isEmpty {
        free -= 1
        letIn.insert(line.removeFirst())
      }
    }
  }

  // MARK: A gate before the gate

  @Test func `prefetches leave a permit, and are loaded in their order`() async throws {
    let (gate, mayEnd) = (PhotoGate(permits: 2, prefetches: 1), Gate())
    let begun = AsyncStream.makeStream(of: Int.self)
    let loads = (0..<4).map { number in
      Task.immediate {
        try await gate.load(.prefetch) {
          begun.continuation.yield(number)
          await mayEnd.wait()
        }
      }
    }
    // Though prefetches are in line, a visible photo is in at once.
    try await gate.load(.visible) { _ = begun.continuation.yield(-1) }
    mayEnd.open()
    for load in loads { try await load.value }
    begun.continuation.finish()
    #expect(await begun.stream.reduce(into: []) { $0.append($1) } == [0, -1, 1, 2, 3])
  }

  @Test func `a prefetch that is cancelled between the gates gives the narrow one back`()
    async throws
  {
    let (gate, mayEnd) = (PhotoGate(permits: 2, prefetches: 1), Gate())
    let visible = (0..<2).map { _ in
      Task.immediate { try await gate.load(.visible) { await mayEnd.wait() } }
    }
    let prefetch = Task.immediate { try await gate.load(.prefetch) {} }
    prefetch.cancel()
    await #expect(throws: CancellationError.self) { try await prefetch.value }
    mayEnd.open()
    for load in visible { try await load.value }
    try await gate.load(.prefetch) {}
  }
}
