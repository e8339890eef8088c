import Foundation
import Synchronization

/// Programs in which something happens between two awaits that another task can see, with all that they can come to.
public struct StepProgram: Sendable, CustomStringConvertible {
  public let name: String
  public let outcomes: Set<String>
  /// How many schedules a reduction needs at most, if that is said.
  public let most: Int?
  public let run: @Sendable () async -> String

  public var description: String { name }

  init(
    _ name: String, _ outcomes: Set<String>, atMost most: Int? = nil,
    _ run: @escaping @Sendable () async -> String
  ) {
    self.name = name
    self.outcomes = outcomes
    self.most = most
    self.run = run
  }
}

final class Log: Sendable {
  private let words = Mutex<[String]>([])
  func say(_ word: String) { words.withLock { $0.append(word) } }
  var text: String { words.withLock { $0.joined(separator: " ") } }
}

private actor Additions {
  private(set) var value = 0
  func add() { value += 1 }
}

/// Opened once.
private final class Gate: Sendable {
  private let state = Mutex<(isOpen: Bool, waiter: UnsafeContinuation<Void, Never>?)>((false, nil))

  func register(_ continuation: UnsafeContinuation<Void, Never>) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiter = continuation }
      return state.isOpen
    }
    if isOpen { continuation.resume() }
  }

  /// Returns whether somebody waited.
  func open() -> Bool {
    let waiter = state.withLock { state in
      state.isOpen = true
      return state.waiter
    }
    waiter?.resume()
    return waiter != nil
  }
}

private actor Door {
  private(set) var log: [String] = []
  func say(_ word: String) { log.append(word) }
  func open(_ gate: Gate) -> Bool { gate.open() }
  func pass(_ gate: Gate) async {
    await withUnsafeContinuation { gate.register($0) }
    log.append("w")
  }
}

/// A permit that one waits for and another gives.
private actor Permit {
  private var isFree = false
  private var waiter: UnsafeContinuation<Void, Never>?
  func take() async {
    if !isFree { await withUnsafeContinuation { waiter = $0 } }
  }
  func give() {
    isFree = true
    waiter?.resume()
  }
}

/// Loads something, and says when it has.
private final class Loader: Sendable {
  private let state = Mutex("new")

  func load(_ completion: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task { completion() }
  }

  func set(_ text: String) { state.withLock { $0 = text } }
  var text: String { state.withLock(\.self) }
}

extension StepProgram {
  public static let all: [StepProgram] = [
    StepProgram("cancelled before it begins", ["0", "1"]) {
      let counter = Additions()
      let task = Task { if !Task.isCancelled { await counter.add() } }
      task.cancel()
      await task.value
      return "\(await counter.value)"
    },
    StepProgram(
      "an actor wakes a parent that is cancelled",
      ["true true", "true false", "false true", "false false"]
    ) {
      let permit = Permit()
      let task = Task {
        await withTaskGroup(of: Bool.self) { group in
          group.addTask {
            await permit.give()
            return Task.isCancelled
          }
          await permit.take()
          let isCancelled = Task.isCancelled
          return "\(isCancelled) \(await group.next()!)"
        }
      }
      task.cancel()
      return await task.value
    },
    StepProgram("a group that is cancelled at once", ["true", "false"]) {
      await withTaskGroup(of: Bool.self) { group in
        group.addTask { Task.isCancelled }
        group.cancelAll()
        return "\(await group.next()!)"
      }
    },
    StepProgram("two groups, one after the other", ["n n", "n c", "c n", "c c"]) {
      let log = Log()
      for _ in 0..<2 {
        await withTaskGroup(of: String.self) { group in
          group.addTask { Task.isCancelled ? "c" : "n" }
          group.cancelAll()
          log.say(await group.next()!)
        }
      }
      return log.text
    },
    StepProgram("a reader that is cancelled, and a sender", ["true 1", "false nil"]) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = Task { await stream.first { _ in true } }
      async let isSent = {
        if case .enqueued = continuation.yield(1) { true } else { false }
      }()
      task.cancel()
      let number = await task.value
      return "\(await isSent) \(number.map(String.init) ?? "nil")"
    },
    StepProgram("a group whose body throws", ["true", "false"]) {
      let log = Log()
      try? await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { log.say("\(Task.isCancelled)") }
        throw CancellationError()
      }
      return log.text
    },
    StepProgram("an async let that nobody awaits", ["body", "cancelled body"]) {
      let log = Log()
      func begin() async {
        async let _: Void = log.say(Task.isCancelled ? "cancelled body" : "body")
      }
      await begin()
      return log.text
    },
    StepProgram("what follows a yield", ["after received", "received after"]) {
      let log = Log()
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      let task = Task {
        for await _ in stream { log.say("received") }
      }
      continuation.yield(1)
      log.say("after")
      continuation.finish()
      await task.value
      return log.text
    },
    StepProgram("what is set after a task was started", ["seen new", "seen set"]) {
      let loader = Loader()
      let task = Task { "seen \(loader.text)" }
      loader.set("set")
      return await task.value
    },
    StepProgram("a buffer of one", ["3", "1 3", "2 3", "1 2 3"]) {
      let (stream, continuation) = AsyncStream.makeStream(
        of: Int.self, bufferingPolicy: .bufferingNewest(1))
      let task = Task { await stream.reduce(into: [String]()) { $0.append("\($1)") } }
      for number in 1...3 { continuation.yield(number) }
      continuation.finish()
      return await task.value.joined(separator: " ")
    },
    StepProgram("a handler that is called before the next line", ["loaded kept", "kept loaded"]) {
      let log = Log()
      let task = Loader().load { log.say("loaded") }
      log.say("kept")
      await task.value
      return log.text
    },
    StepProgram("asked twice", ["false false", "false true", "true true"]) {
      let task = Task {
        let first = Task.isCancelled
        return "\(first) \(Task.isCancelled)"
      }
      task.cancel()
      return await task.value
    },
    StepProgram(
      "asked, then logged",
      ["false cancelled", "cancelled false", "cancelled true", "true cancelled"]
    ) {
      let log = Log()
      let task = Task { log.say("\(Task.isCancelled)") }
      task.cancel()
      log.say("cancelled")
      await task.value
      return log.text
    },
    StepProgram("what follows a resume", ["after resumed", "resumed after"]) {
      let log = Log()
      let waiting = Mutex<UnsafeContinuation<Void, Never>?>(nil)
      let task = Task {
        await withUnsafeContinuation { continuation in waiting.withLock { $0 = continuation } }
        log.say("resumed")
      }
      while true {
        if let continuation = waiting.withLock(\.self) {
          continuation.resume()
          break
        }
        await Task.yield()
      }
      log.say("after")
      await task.value
      return log.text
    },
    StepProgram("a task that begins within another's step", ["qij", "qiJ", "QiJ"]) {
      let log = Log()
      let task = Task.immediate {
        async let child = Task.isCancelled ? "Q" : "q"
        let early = Task.isCancelled ? "I" : "i"
        log.say(await child + early + (Task.isCancelled ? "J" : "j"))
      }
      task.cancel()
      await task.value
      return log.text
    },
    StepProgram(
      "asked between an unlocking and the next line",
      ["1 2 c", "1 2 n", "2 1 c", "2 1 n", "2 n 1"]
    ) {
      let log = Log()
      let task = Task {
        log.say("2")
        log.say(Task.isCancelled ? "c" : "n")
      }
      log.say("1")
      task.cancel()
      await task.value
      return log.text
    },
    StepProgram("a group that is cancelled, and what follows", ["n p", "c p", "p c", "p n"]) {
      let log = Log()
      await withTaskGroup(of: Void.self) { group in
        group.addTask { log.say(Task.isCancelled ? "c" : "n") }
        group.cancelAll()
        log.say("p")
      }
      return log.text
    },
    StepProgram("resumed before it is awaited, or after", ["r a"]) {
      let (log, other) = (Log(), Log())
      await withUnsafeContinuation { continuation in
        Task {
          log.say("r")
          continuation.resume()
        }
        other.say("b")
      }
      log.say("a")
      return log.text
    },
    StepProgram(
      "begun before an await of what has ended", ["x p, x 1", "x p, 1 x", "p x, x 1", "p x, 1 x"]
    ) {
      let (early, late) = (Log(), Log())
      let first = Task {
        early.say("x")
        late.say("x")
      }
      early.say("p")
      let second = Task { late.say("1") }
      await first.value
      await second.value
      return "\(early.text), \(late.text)"
    },
    StepProgram("a group's child, added before a cancellation or after", ["true", "false"]) {
      let log = Log()
      let task = Task {
        log.say("t")
        return await withTaskGroup(of: Bool.self) { group in
          group.addTask { Task.isCancelled }
          log.say("u")
          return await group.next()!
        }
      }
      task.cancel()
      return "\(await task.value)"
    },
    StepProgram(
      "woken on the actor that its waker is on",
      ["waited w m", "waited m w", "late w m", "late m w"]
    ) {
      let door = Door()
      let gate = Gate()
      let task = Task { await door.pass(gate) }
      let hasWaited = await door.open(gate)
      await Task.yield()  // or the optimizer stays on the actor
      await door.say("m")
      await task.value
      return "\(hasWaited ? "waited" : "late") \(await door.log.joined(separator: " "))"
    },
    StepProgram("a child that is begun before a cancellation, or after", ["true", "false"]) {
      let log = Log()
      let task = Task {
        log.say("t")
        async let isCancelled = Task.isCancelled
        return await isCancelled
      }
      task.cancel()
      return "\(await task.value)"
    },
    StepProgram("a group's child that begins at once, and a cancellation", ["true", "false"]) {
      let log = Log()
      let task = Task {
        log.say("t")
        return await withTaskGroup(of: Bool.self) { group in
          group.addImmediateTask { Task.isCancelled }
          return await group.next()!
        }
      }
      await Task { task.cancel() }.value
      return "\(await task.value)"
    },
    StepProgram("a sleeper that is cancelled, or has slept", ["slept", "cancelled"]) {
      let task = Task { try? await Task.sleep(for: .milliseconds(1)) }
      task.cancel()
      return await task.value == nil ? "cancelled" : "slept"
    },
    StepProgram(
      "woken on an actor before its waker asks for it",
      ["waited w m", "waited m w", "late w m", "late m w"]
    ) {
      let door = Door()
      let gate = Gate()
      let task = Task { await door.pass(gate) }
      let hasWaited = gate.open()
      await door.say("m")
      await task.value
      return "\(hasWaited ? "waited" : "late") \(await door.log.joined(separator: " "))"
    },
    StepProgram("begun on an actor before its maker asks for it", ["w m"]) {
      let log = Log()
      let task = Task { @MainActor in log.say("w") }
      await MainActor.run { log.say("m") }
      await task.value
      return log.text
    },
    StepProgram("added unless it is cancelled", ["true", "false"]) {
      let task = Task {
        await withTaskGroup(of: Void.self) { $0.addTaskUnlessCancelled {} }
      }
      task.cancel()
      return "\(await task.value)"
    },
    StepProgram("the first of two", ["a", "b"]) {
      await withTaskGroup(of: String.self) { group in
        group.addTask { "a" }
        group.addTask { "b" }
        return await group.next()!
      }
    },
    StepProgram("sent by two, one of whom ends it", ["2", "1 2", "2 1"]) {
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      async let first: Void = { _ = continuation.yield(1) }()
      async let second: Void = {
        continuation.yield(2)
        continuation.finish()
      }()
      var numbers: [String] = []
      for await number in stream { numbers.append("\(number)") }
      _ = await (first, second)
      return numbers.joined(separator: " ")
    },
    StepProgram("a handler that is set and dropped", ["body", "body handler", "handler body"]) {
      let log = Log()
      let task = Task {
        await withTaskCancellationHandler {
          log.say("body")
        } onCancel: {
          log.say("handler")
        }
      }
      task.cancel()
      await task.value
      return log.text
    },
    StepProgram("a handler that cancels another task", ["true", "false"]) {
      let counter = Additions()
      let task = Task {
        await counter.add()
        return Task.isCancelled
      }
      let waiter = Task {
        await withTaskCancellationHandler {
          await task.value
        } onCancel: {
          task.cancel()
        }
      }
      waiter.cancel()
      return "\(await waiter.value)"
    },
  ]

  /// Correct programs that start, resume, cancel and send while they hold a lock; none of them ever waits for ever.
  public static let underLocks: [StepProgram] = locks.flatMap { name, make in
    [
      StepProgram("starts under \(name)", ["1 2", "2 1"]) {
        let (lock, log) = (make(), Log())
        let task = lock.withLock {
          let task = Task { lock.withLock { log.say("1") } }
          log.say("2")
          return task
        }
        await task.value
        return log.text == "2 1" ? "2 1" : log.text
      },
      StepProgram("resumes under \(name)", ["done"]) {
        let lock = make()
        return await withUnsafeContinuation { (continuation: UnsafeContinuation<String, Never>) in
          _ = Task { lock.withLock { continuation.resume(returning: "done") } }
          lock.withLock {}
        }
      },
      StepProgram("cancels under \(name)", ["true"]) {
        let lock = make()
        let task = Task { lock.withLock {} }
        lock.withLock { task.cancel() }
        await task.value
        return "\(task.isCancelled)"
      },
      StepProgram("sends under \(name)", ["1"]) {
        let lock = make()
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        let task = Task {
          var sum = 0
          for await number in stream { lock.withLock { sum += number } }
          return sum
        }
        lock.withLock { _ = continuation.yield(1) }
        lock.withLock { continuation.finish() }
        return "\(await task.value)"
      },
      StepProgram("cancels a sleeper under \(name)", ["cancelled", "slept"]) {
        let lock = make()
        let task = Task { (try? await Task.sleep(for: .milliseconds(1))) == nil }
        lock.withLock { task.cancel() }
        return await task.value ? "cancelled" : "slept"
      },
      StepProgram("asks an actor beside \(name)", ["2"]) {
        let (lock, counter) = (make(), Additions())
        let tasks = lock.withLock {
          (0..<2).map { _ in
            Task {
              lock.withLock {}
              await counter.add()
            }
          }
        }
        for task in tasks { await task.value }
        return "\(await counter.value)"
      },
    ]
  }

  /// One task resumes another under a lock that a cancellation handler takes, too.
  public static let cancelUnderLock: [StepProgram] = locks.flatMap { name, make in
    [
      (true, "under", false), (false, "after", false), (true, "under", true),
      (false, "after", true),
    ]
    .map { isUnder, when, isAtOnce in
      let begun = isAtOnce ? ", begun at once" : ""
      return StepProgram("resumes \(when) \(name)\(begun)", ["resumed", "cancelled"]) {
        let lock = make()
        let waiting = Waiting()
        let body: @Sendable () async -> String = {
          await withTaskCancellationHandler {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<String, Never>) in
              let isOver = lock.withLock { waiting.wait(continuation) }
              if isOver { continuation.resume(returning: "cancelled") }
            }
          } onCancel: {
            let waiter = lock.withLock { waiting.end() }
            waiter?.resume(returning: "cancelled")
          }
        }
        let task = isAtOnce ? Task.immediate(operation: body) : Task(operation: body)
        async let resumer: Void = {
          if isUnder {
            lock.withLock { waiting.take()?.resume(returning: "resumed") }
          } else {
            lock.withLock { waiting.take() }?.resume(returning: "resumed")
          }
        }()
        async let canceller: Void = task.cancel()
        _ = await (resumer, canceller)
        return await task.value
      }
    }
  }
}

private let locks: [(name: String, make: @Sendable () -> any Locking)] = [
  ("NSLock", { WithLock(lock: NSLock()) }), ("Mutex", { WithMutex() }),
]

private protocol Locking: Sendable {
  func withLock<R>(_ body: () -> R) -> R
}

private struct WithLock: Locking {
  let lock: NSLock
  func withLock<R>(_ body: () -> R) -> R {
    lock.lock()
    defer { lock.unlock() }
    return body()
  }
}

private final class WithMutex: Locking {
  private let mutex = Mutex(())
  func withLock<R>(_ body: () -> R) -> R {
    withoutActuallyEscaping(body) { body in
      let call = Call(body)
      mutex.withLock { _ in call.run() }
      return call.result!
    }
  }

  private final class Call<R>: @unchecked Sendable {
    // Sendable: used by one thread.
    let body: () -> R
    var result: R?
    init(_ body: @escaping () -> R) { self.body = body }
    func run() { result = body() }
  }
}

/// Who waits; used under a lock of its user's.
private final class Waiting: @unchecked Sendable {
  // Sendable: used under a lock only.
  private var continuation: UnsafeContinuation<String, Never>?
  private var isOver = false

  func wait(_ continuation: UnsafeContinuation<String, Never>) -> Bool {
    if !isOver { self.continuation = continuation }
    return isOver
  }

  func take() -> UnsafeContinuation<String, Never>? {
    defer { continuation = nil }
    return continuation
  }

  func end() -> UnsafeContinuation<String, Never>? {
    isOver = true
    return take()
  }
}
