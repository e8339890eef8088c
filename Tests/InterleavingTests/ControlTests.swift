import Interleaving
import Synchronization
import Testing

/// Whatever a scenario begins is under control: it is explored completely and takes no real time.
@Suite(.serialized, .timeLimit(.minutes(30))) struct ControlTests {
  /// Collects words in the order in which tasks say them.
  private actor Log {
    private(set) var text = ""
    func say(_ word: String) { text += word }
  }

  @Test func `unstructured tasks`() async {
    let exploration = await explore {
      let log = Log()
      let a = Task { await log.say("a") }
      let b = Task { await log.say("b") }
      _ = await (a.value, b.value)
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    expectClean(exploration)
  }

  /// Whoever was begun or woken may be at an actor before the one who did it.
  @Test(arguments: [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `a task that is begun may ask for an actor before the one that began it`(
    strategy: Strategy
  ) async {
    let child = await explore(strategy) {
      let log = Log()
      async let child: Void = log.say("c")
      await log.say("p")
      await child
      return await log.text
    }
    #expect(Set(child.outcomes.keys) == ["cp", "pc"])
    expectClean(child)
    let task = await explore(strategy) {
      let log = Log()
      let task = Task { await log.say("t") }
      await log.say("p")
      await task.value
      return await log.text
    }
    #expect(Set(task.outcomes.keys) == ["tp", "pt"])
    expectClean(task)
  }

  @Test func `a task that is woken or cancelled may ask for an actor first, too`() async {
    let woken = await explore {
      let log = Log()
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task {
        for await _ in stream {}
        await log.say("w")
      }
      continuation.finish()
      await log.say("p")
      await task.value
      return await log.text
    }
    #expect(Set(woken.outcomes.keys) == ["wp", "pw"])
    expectClean(woken)
    let cancelled = await explore {
      let log = Log()
      let task = Task {
        await Task.yield()
        await log.say(Task.isCancelled ? "c" : "n")
      }
      await log.say("p")
      task.cancel()
      await log.say("q")
      await task.value
      return await log.text
    }
    #expect(Set(cancelled.outcomes.keys) == ["npq", "pnq", "pqn", "pcq", "pqc"])
    expectClean(cancelled)
  }

  @Test(.enabled(if: !SwiftRuntime.isSanitized, "too slow"))
  func `one who leaves an actor has asked for the next before another comes in`() async {
    actor Door {
      func pass(_ word: String, to log: Log) async {
        _ = Task {}
        await log.say(word)
      }
    }
    let exploration = await explore {
      let (door, log) = (Door(), Log())
      async let first: Void = door.pass("a", to: log)
      async let second: Void = door.pass("b", to: log)
      _ = await (first, second)
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    #expect(exploration.isComplete)
  }

  @Test func `detached tasks`() async {
    let exploration = await explore {
      let log = Log()
      let a = Task.detached { await log.say("a") }
      let b = Task.detached { await log.say("b") }
      _ = await (a.value, b.value)
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    expectClean(exploration)
  }

  @Test func `a task begun on an actor runs there, and others between its awaits`() async {
    actor Box {
      private(set) var text = ""
      func begin(_ word: String) -> Task<Void, Never> {
        Task {
          text += word
          await Task.yield()
          text += word
        }
      }
    }
    let exploration = await explore {
      let box = Box()
      let a = await box.begin("a")
      let b = await box.begin("b")
      _ = await (a.value, b.value)
      return await box.text
    }
    #expect(Set(exploration.outcomes.keys) == ["aabb", "abab", "abba"])
    expectClean(exploration)
  }

  @Test func `a task on an actor keeps it through calls that do not suspend`() async {
    actor Box {
      private(set) var text = ""
      func say(_ word: String) async { text += word }
      func begin(_ word: String) -> Task<Void, Never> {
        Task {
          await say(word)
          await say(word)
        }
      }
    }
    let exploration = await explore {
      let box = Box()
      let a = await box.begin("a")
      let b = await box.begin("b")
      _ = await (a.value, b.value)
      return await box.text
    }
    #expect(Set(exploration.outcomes.keys) == ["aabb"])
    expectClean(exploration)
  }

  @MainActor private final class Screen {
    var text = ""
    func show(_ word: String) { text += word }

    nonisolated func read() async -> String {
      await MainActor.run {
        MainActor.assertIsolated()
        return MainActor.assumeIsolated { text }
      }
    }
  }

  @Test func `the main actor`() async {
    let exploration = await explore {
      let screen = Screen()
      let a = Task { await screen.show("a") }
      let b = Task { await MainActor.run { screen.show("b") } }
      _ = await (a.value, b.value)
      return await screen.read()
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    expectClean(exploration)
  }

  @Test func `an hour of sleep takes no time, and sleepers wake by their deadlines`() async {
    let began = ContinuousClock.now
    // Both sleep before either wakes.
    let exploration = await explore(time: .passesWhenIdle) {
      let log = Log()
      async let hour: Void = {
        try? await Task.sleep(for: .seconds(3600))
        await log.say("h")
      }()
      try? await ContinuousClock().sleep(for: .seconds(1))
      await log.say("s")
      await hour
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["sh"])
    expectClean(exploration)
    #expect(ContinuousClock.now - began < .seconds(3600))
  }

  @Test func `sleeping orders nothing but sleepers`() async {
    let exploration = await explore {
      let log = Log()
      async let sleeper: Void = {
        try? await Task.sleep(for: .seconds(60))
        await log.say("s")
      }()
      await Task.yield()
      await log.say("n")
      await sleeper
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ns", "sn"])
    expectClean(exploration)
  }

  @Test func `time that passes only when nothing else can go on`() async {
    let exploration = await explore(time: .passesWhenIdle) {
      let log = Log()
      async let hour: Void = {
        try? await Task.sleep(for: .seconds(3600))
        await log.say("h")
      }()
      async let second: Void = {
        try? await SuspendingClock().sleep(for: .seconds(1))
        await log.say("s")
      }()
      async let soon: Void = {
        await Task.yield()
        await log.say("n")
      }()
      _ = await (hour, second, soon)
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["nsh"])
    expectClean(exploration)
  }

  @Test func `a sleep that is cancelled`() async {
    let exploration = await explore {
      let sleeper = Task {
        do {
          try await Task.sleep(for: .seconds(3600))
          return "slept"
        } catch {
          return "cancelled"
        }
      }
      await Task.yield()
      sleeper.cancel()
      return await sleeper.value
    }
    #expect(Set(exploration.outcomes.keys) == ["slept", "cancelled"])
    expectClean(exploration)
  }

  @Test func `a stream`() async {
    let exploration = await explore {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      async let sum = stream.reduce(0, +)
      async let first: Void = { _ = continuation.yield(1) }()
      async let second: Void = { _ = continuation.yield(2) }()
      _ = await (first, second)
      continuation.finish()
      return await sum
    }
    #expect(Set(exploration.outcomes.keys) == [3])
    expectClean(exploration)
  }

  @Test func `a cancellation handler`() async {
    let exploration = await explore {
      let task = Task { [flag = AtomicFlag()] in
        await withTaskCancellationHandler {
          await Task.yield()
          return flag.isSet
        } onCancel: {
          flag.set()
        }
      }
      await Task.yield()
      task.cancel()
      return await task.value
    }
    #expect(Set(exploration.outcomes.keys) == [true, false])
    expectClean(exploration)
  }

  @Test func `groups that give their results and groups that drop them`() async {
    let exploration = await explore {
      await withTaskGroup(of: String.self) { group in
        group.addTask { "a" }
        group.addTask { "b" }
        return await group.reduce("", +)
      }
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    expectClean(exploration)

    let discarding = await explore {
      let log = Log()
      await withDiscardingTaskGroup { group in
        group.addTask { await log.say("a") }
        group.addTask { await log.say("b") }
      }
      return await log.text
    }
    #expect(Set(discarding.outcomes.keys) == ["ab", "ba"])
    expectClean(discarding)
  }

  @Test func `a group that ends early cancels the rest`() async {
    struct Failed: Error {}
    let exploration = await explore {
      do {
        return try await withThrowingTaskGroup(of: Int.self) { group in
          group.addTask { throw Failed() }
          group.addTask {
            try await Task.sleep(for: .seconds(60))
            return 1
          }
          return try await group.reduce(0, +)
        }
      } catch is CancellationError {
        return -1
      } catch {
        return -2
      }
    }
    #expect(Set(exploration.outcomes.keys) == [-2])
    expectClean(exploration)
  }

  private enum Local {
    @TaskLocal static var name = "none"
  }

  @Test func `task-local values`() async {
    let exploration = await explore {
      await Local.$name.withValue("outer") {
        async let child = Local.name
        let unstructured = Task { Local.name }
        let detached = Task.detached { Local.name }
        return await [child, unstructured.value, detached.value]
      }
    }
    #expect(Set(exploration.outcomes.keys) == [["outer", "outer", "none"]])
    expectClean(exploration)
  }

  @Test func `an actor serves the higher priority first, then the one that came first`() async {
    actor Counter {
      private(set) var text = ""
      /// Puts tasks on this actor's own queue while it is busy with this call.
      func begin(_ words: [(String, TaskPriority)]) -> [Task<Void, Never>] {
        words.map { word, priority in Task(priority: priority) { text += word } }
      }
    }
    let exploration = await explore {
      let counter = Counter()
      for task in await counter.begin([("l", .background), ("h", .high), ("k", .high)]) {
        await task.value
      }
      return await counter.text
    }
    #expect(Set(exploration.outcomes.keys) == ["hkl"])
    expectClean(exploration)
    let priorities = await explore {
      await Task(priority: .background) { Task.basePriority == .background }.value
    }
    #expect(Set(priorities.outcomes.keys) == [true])
  }

  @Test func `an immediate task`() async {
    let exploration = await explore {
      let log = Log()
      let task = Task.immediate { await log.say("a") }
      await log.say("b")
      await task.value
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ab"])
    expectClean(exploration)
  }

  /// How a task begins within the step of its creator.
  enum Beginning: CaseIterable {
    case task, detachedTask, childTask, onMainActor, onActor

    func callAsFunction(
      _ body: @escaping @Sendable () async -> Void, meanwhile: @Sendable () async -> Void
    ) async {
      let hasBegun = AtomicFlag()
      func goOn() async {
        #expect(hasBegun.isSet)
        await meanwhile()
      }
      switch self {
      case .task:
        let task = Task.immediate {
          hasBegun.set()
          await body()
        }
        await goOn()
        await task.value
      case .detachedTask:
        let task = Task.immediateDetached {
          hasBegun.set()
          await body()
        }
        await goOn()
        await task.value
      case .childTask:
        await withTaskGroup { group in
          group.addImmediateTask {
            hasBegun.set()
            await body()
          }
          await goOn()
        }
      case .onMainActor: await begin(hasBegun, body, meanwhile: meanwhile, on: MainActor.shared)
      case .onActor: await begin(hasBegun, body, meanwhile: meanwhile, on: Log())
      }
    }

    private func begin(
      _ hasBegun: AtomicFlag, _ body: @escaping @Sendable () async -> Void,
      meanwhile: @Sendable () async -> Void, on actor: isolated any Actor
    ) async {
      let task = Task.immediate {
        _ = actor
        hasBegun.set()
        await body()
      }
      #expect(hasBegun.isSet)
      await meanwhile()
      await task.value
    }
  }

  @Test(arguments: Beginning.allCases, [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `an immediate task that sleeps before it has waited for anything else`(
    begin: Beginning, strategy: Strategy
  ) async {
    let exploration = await explore(strategy, time: .passesWhenIdle) {
      let log = Log()
      await begin {
        try? await Task.sleep(for: .seconds(100))
        await log.say("a")
      } meanwhile: {
        try? await Task.sleep(for: .seconds(50))
        await log.say("b")
      }
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ba"])
    expectClean(exploration)
  }

  @Test(arguments: Beginning.allCases, [Strategy.exhaustive, .reduced(assuming: .actorIsolation)])
  func `an immediate task that yields before it has waited for anything else`(
    begin: Beginning, strategy: Strategy
  ) async {
    let exploration = await explore(strategy) {
      let log = Log()
      await begin {
        await Task.yield()
        await log.say("a")
      } meanwhile: {
        await log.say("b")
      }
      return await log.text
    }
    #expect(Set(exploration.outcomes.keys) == ["ab", "ba"])
    expectClean(exploration)
  }

  @MainActor private final class Window {
    let flag: AtomicFlag
    nonisolated init(_ flag: AtomicFlag) { self.flag = flag }
    isolated deinit { flag.set() }
  }

  @Test func `an isolated deinitializer runs on its actor, some time after the last reference`()
    async
  {
    let exploration = await explore {
      let flag = AtomicFlag()
      let task = Task { _ = Window(flag) }
      await task.value
      return flag.isSet
    }
    #expect(Set(exploration.outcomes.keys) == [true, false])
    expectClean(exploration)
  }
}

func expectClean<Outcome>(
  _ exploration: Exploration<Outcome>, sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(exploration.isComplete, "\(exploration.completeness)", sourceLocation: sourceLocation)
  #expect(exploration.failures.isEmpty, "\(exploration)", sourceLocation: sourceLocation)
}

/// A flag that any task may set.
final class AtomicFlag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .relaxed) }
  func set() { value.store(true, ordering: .relaxed) }
}
