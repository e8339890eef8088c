import Foundation
import Testing

@testable import Interleaving

/// The reduced strategy against the exhaustive one, on scenarios drawn from a printed seed.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ReductionTests {
  @Test func `a reduction that leaves out nothing says why`() async {
    let reduced = Strategy.reduced(assuming: .actorIsolation)
    @Sendable func prioritized() async {
      let log = Log()
      let low = Task(priority: .low) { await log.say("l") }
      let high = Task(priority: .high) { await log.say("h") }
      _ = await (low.value, high.value)
    }
    let priorities = await explore(reduced, scenario: prioritized)
    #expect(priorities.advice == "Every schedule is run, since tasks differ in priority")
    let immediate = await explore(reduced) {
      let first = Task {}
      await Task.yield()
      await Task.immediate { await first.value }.value
    }
    #expect(
      immediate.advice
        == "Every schedule is run, since a task that begins within another's step awaits something")
    let cutOff = await explore(reduced, limit: 1, scenario: prioritized)
    #expect(
      cutOff.advice?.hasSuffix(". Every schedule is run, since tasks differ in priority") == true)
  }

  @Test func `same outcomes and same findings as the exhaustive strategy`() async {
    var generator = SplitMix64(seed: 20_261_121)
    var drawn = 0
    var compared = 0
    var full = 0
    var reduced = 0
    var features: [String: Int] = [:]
    let wanted = ProcessInfo.processInfo.environment["PROGRAMS"].flatMap(Int.init) ?? 25
    while compared < wanted {
      let program = Program(using: &generator)
      drawn += 1
      let some = await explored(program, .reduced(assuming: .actorIsolation), limit: 50)
      if case .scheduleLimit = some.completeness { continue }
      let all = await explored(program, .exhaustive, limit: 250)
      if case .scheduleLimit = all.completeness { continue }
      compared += 1
      full += all.schedules
      reduced += some.schedules
      for failure in all.failures { features[failure.kind.rawValue, default: 0] += 1 }
      #expect(all.isComplete && some.isComplete, "\(program): \(some.completeness)")
      #expect(Set(some.outcomes.keys) == Set(all.outcomes.keys), "\(program)")
      #expect(
        Set(some.failures.map { "\($0.kind)" }) == Set(all.failures.map { "\($0.kind)" }),
        "\(program)")
    }
    print("\(compared) of \(drawn) scenarios: \(full) schedules, reduced \(reduced); \(features)")
  }

  /// What stands still here stands still for ever, so nobody else is waited for.
  private func explored(
    _ program: Program, _ strategy: Strategy, limit: Int
  ) async -> Exploration<String> {
    await exploreClosed(
      strategy, limit: limit, time: program.time, allowing: { _ in true },
      scenario: { await program.run() })
  }
}

extension ReductionTests {
  @Test func `a child that ended before its parent was cancelled had not seen it`() async {
    @Sendable func scenario() async -> String {
      await withTaskGroup(of: String.self) { group in
        group.addTask {
          let own = Task.isCancelled
          async let child = Task.isCancelled
          return "\(own) \(await child)"
        }
        async let other: Void = {}()
        await other
        group.cancelAll()
        return await group.reduce("", +)
      }
    }
    let all = await explore { await scenario() }
    let some = await explore(.reduced(assuming: .actorIsolation)) { await scenario() }
    #expect(all.isComplete && some.isComplete)
    #expect(Set(all.outcomes.keys) == ["false false", "false true", "true true"])
    #expect(Set(some.outcomes.keys) == Set(all.outcomes.keys))
  }

  /// Scenarios in which one step takes away another that no race shows; found by a review of the proof.
  private func expectSame<Outcome: Hashable & Sendable>(
    _ outcomes: Set<Outcome>, time: VirtualTime = .passesAtAnyStep,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ scenario: @escaping @Sendable () async -> Outcome
  ) async {
    let all = await explore(time: time, scenario: scenario)
    let some = await explore(.reduced(assuming: .actorIsolation), time: time, scenario: scenario)
    #expect(all.isComplete && some.isComplete, sourceLocation: sourceLocation)
    #expect(Set(all.outcomes.keys) == outcomes, sourceLocation: sourceLocation)
    #expect(Set(some.outcomes.keys) == outcomes, sourceLocation: sourceLocation)
  }

  @Test func `a cancelled sleeper might have woken first`() async {
    await expectSame(["work", "timeout"]) {
      await withTaskGroup(of: String.self) { group in
        group.addTask {
          await Task.yield()
          return "work"
        }
        group.addTask {
          (try? await Task.sleep(for: .milliseconds(1))) == nil ? "cancelled" : "timeout"
        }
        let first = await group.next()!
        group.cancelAll()
        return first
      }
    }
    await expectSame([true, false]) {
      let sleeper = Task { (try? await Task.sleep(for: .milliseconds(1))) == nil }
      await Task.yield()
      sleeper.cancel()
      return await sleeper.value
    }
  }

  @Test(arguments: [VirtualTime.passesAtAnyStep, .passesWhenIdle])
  func `of two sleepers with one deadline either may be first`(time: VirtualTime) async {
    await expectSame(["ab", "ba"], time: time) {
      let log = Log()
      async let a: Void = {
        try? await Task.sleep(for: .milliseconds(1))
        await log.say("a")
      }()
      async let b: Void = {
        try? await Task.sleep(for: .milliseconds(1))
        await log.say("b")
      }()
      _ = await (a, b)
      return await log.text
    }
  }

  @Test func `the more urgent may overtake, or come too late to`() async {
    actor Gate {
      private var waiters: [(name: String, continuation: CheckedContinuation<Void, Never>)] = []
      private var ready: CheckedContinuation<Void, Never>?
      private(set) var log = ""
      func wait(_ name: String) async {
        await withCheckedContinuation { continuation in
          waiters.append((name, continuation))
          if waiters.count == 2 {
            ready?.resume()
            ready = nil
          }
        }
        log += name
      }
      func drain() async -> [CheckedContinuation<Void, Never>] {
        if waiters.count < 2 { await withCheckedContinuation { ready = $0 } }
        log += waiters.map(\.name).joined() + ":"
        return waiters.map(\.continuation)
      }
    }
    await expectSame(["hl:hl", "hl:lh", "lh:hl", "lh:lh"]) {
      let gate = Gate()
      let low = Task(priority: .low) { await gate.wait("l") }
      let high = Task(priority: .high) { await gate.wait("h") }
      for waiter in await gate.drain() {
        waiter.resume()
        await Task.yield()
      }
      await low.value
      await high.value
      return await gate.log
    }
  }

  @Test func `a task that is raised in priority may have looked at it before`() async {
    await expectSame([true, false]) {
      let task = Task {
        let isHigh = Task.currentPriority >= .high
        await Task.yield()
        await Task.yield()
        return isHigh
      }
      async let escalation: Void = {
        task.escalatePriority(to: .high)
        await Task.yield()
      }()
      let result = await task.value
      await escalation
      return result
    }
  }

  @Test func `a child belongs to the task that awaits it, not to the step that it began in`() async
  {
    await expectSame([[false, false], [false, true]]) {
      let gate = Task {}
      return await withTaskGroup(of: Bool.self) { group in
        for _ in 0..<2 {
          group.addImmediateTask {
            await gate.value
            return Task.isCancelled
          }
        }
        var seen: [Bool] = []
        for await value in group {
          seen.append(value)
          group.cancelAll()
        }
        return seen
      }
    }
    await expectSame([1, 2]) {
      let count = Shared(0)
      let stop = Log()
      let task = Task.immediate {
        async let child: Void = {}()
        await stop.say("")
        let seen = count.value
        await child
        count.value = seen + 1
      }
      async let other: Void = count.update { $0 += 1 }
      await task.value
      await other
      return count.value
    }
  }

  @Test func `a stream between tasks is seen`() async {
    await expectSame([1]) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      async let sum = stream.reduce(0, +)
      await Task.yield()
      async let sender: Void = { _ = continuation.yield(1) }()
      await sender
      continuation.finish()
      return await sum
    }
  }

  @Test func `a lock that is not seen breaks the assumption, and that is said`() async {
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let semaphore = MutexSemaphore(0)
      async let waiter: Void = semaphore.wait()
      async let sender: Void = semaphore.signal()
      _ = await (waiter, sender)
    }
    guard case .assumptionBroken(let reason) = exploration.completeness else {
      Issue.record("\(exploration.completeness)")
      return
    }
    #expect(reason.contains("resumed"))
  }

  @Test func `waiters that an actor hands out may be resumed anywhere`() async {
    actor Gate {
      private var waiters: [CheckedContinuation<Void, Never>] = []
      private var isOpen = false
      func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiters.append($0) }
      }
      func drain() -> [CheckedContinuation<Void, Never>] {
        isOpen = true
        defer { waiters = [] }
        return waiters
      }
    }
    let exploration = await explore(.reduced(assuming: .actorIsolation)) {
      let gate = Gate()
      async let first: Void = gate.wait()
      async let second: Void = gate.wait()
      for waiter in await gate.drain() { waiter.resume() }
      _ = await (first, second)
    }
    expectClean(exploration)
  }
}

private actor Log {
  private(set) var text = ""
  func say(_ word: String) { text += word }
}

/// A few tasks that use a few actors, semaphores and shared variables.
private struct Program: Sendable, CustomStringConvertible {
  enum Operation: Sendable {
    case append(Int)
    case increment(Int)
    case incrementInOneCall(Int)
    case yield
    case sleep(Int)
    case wait(Int)
    case signal(Int)
    case read(Int)
    case write(Int)
    case cancel
    case child
    case await(Int)
  }

  let tasks: [[Operation]]
  let isStructured: Bool
  let time: VirtualTime
  /// Of each task; nil is as it comes.
  let priorities: [TaskPriority?]

  var description: String {
    "\(isStructured ? "group" : "tasks") \(time) \(priorities.map { $0?.rawValue ?? 0 }) \(tasks)"
  }

  init(using generator: inout SplitMix64) {
    let structured = Bool.random(using: &generator)
    isStructured = structured
    // Exhaustive search must end: two tasks of up to three operations, or three of one short one.
    let count = Int.random(in: 2...3, using: &generator)
    time = Int.random(in: 0..<4, using: &generator) == 0 ? .passesWhenIdle : .passesAtAnyStep
    let areMixed = Int.random(in: 0..<5, using: &generator) == 0
    priorities = (0..<count).map { areMixed && $0 == 1 ? .high : areMixed ? .low : nil }
    tasks = (0..<count).map { index in
      (0..<(count == 2 && index == 0 ? Int.random(in: 1...2, using: &generator) : 1)).map { _ in
        let object = Int.random(in: 0...1, using: &generator)
        switch Int.random(in: count == 2 ? 0...10 : 4...10, using: &generator) {
        case 0, 1: return .append(object)
        case 2: return .increment(object)
        case 3: return .incrementInOneCall(object)
        case 4: return Bool.random(using: &generator) ? .yield : .child
        case 5: return .sleep(Int.random(in: 1...2, using: &generator))
        case 6: return .wait(object)
        case 7: return .signal(object)
        case 8: return .read(object)
        case 9: return structured ? .write(object) : .cancel
        default: return structured || index == 0 ? .write(object) : .await(index - 1)
        }
      }
    }
  }

  func run() async -> String {
    let world = World()
    var results = ""
    if isStructured {
      results = await withTaskGroup(of: String.self) { group in
        for (index, operations) in tasks.enumerated() {
          group.addTask(priority: priorities[index]) {
            await world.run(operations, as: index)
          }
        }
        return await group.reduce("", +)
      }
    } else {
      await world.keep(
        tasks.enumerated().map { index, operations in
          Task(priority: priorities[index]) { await world.run(operations, as: index) }
        })
      for task in await world.tasks { results += await task.value }
    }
    return results + " " + (await world.summary)
  }

  actor World {
    private let boxes = [Box(), Box()]
    private let semaphores = [ActorSemaphore(0), ActorSemaphore(1)]
    private let shared = [Shared(0), Shared(0)]
    private(set) var tasks: [Task<String, Never>] = []

    func keep(_ tasks: [Task<String, Never>]) { self.tasks = tasks }

    nonisolated func run(_ operations: [Operation], as index: Int) async -> String {
      var result = "\(index)"
      for operation in operations {
        switch operation {
        case .append(let box): await boxes[box].append(index)
        case .increment(let box):
          let value = await boxes[box].value
          await boxes[box].set(value + 1)
        case .incrementInOneCall(let box): await boxes[box].increment()
        case .yield: await Task.yield()
        case .sleep(let milliseconds):
          let isCancelled = (try? await Task.sleep(for: .milliseconds(milliseconds))) == nil
          result += isCancelled ? "c" : ""
        case .wait(let semaphore): await semaphores[semaphore].wait()
        case .signal(let semaphore): await semaphores[semaphore].signal()
        case .read(let variable): result += "r\(shared[variable].value)"
        case .write(let variable): shared[variable].value = index + 1
        case .child:
          async let isCancelled = Task.isCancelled
          result += await isCancelled ? "C" : ""
        case .cancel: await tasks.first?.cancel()
        case .await(let other):
          let tasks = await tasks
          if other < tasks.count { result += await tasks[other].value }
        }
      }
      return result
    }

    var summary: String {
      get async {
        var text = ""
        for box in boxes { text += await box.text + ";" }
        return text + shared.map { "\($0.value)" }.joined(separator: ",")
      }
    }
  }

  actor Box {
    private(set) var value = 0
    private var log = ""
    func append(_ index: Int) { log += "\(index)" }
    func set(_ value: Int) { self.value = value }
    func increment() { value += 1 }
    var text: String { "\(log)/\(value)" }
  }
}
