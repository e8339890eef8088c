import Foundation
import Synchronization

/// A few tasks that begin, cancel, wake and await one another; each instruction is a line or two of ordinary code.
public struct TaskProgram: Hashable, Sendable, CustomStringConvertible {
  public enum Instruction: Hashable, Sendable {
    case say, ask, begin, beginAtOnce, beginAtOnceWithChild, call, hop
    case cancel(Int)
    case cancelSelf
    case askOf(Int)
    case await(Int)
    case send, sendTwice, finish, receive
    case wait, waitOrBeCancelled, resume, resumeUnderLock
    case waitOrLog, waitOrResumeAnother, waitOrSubmit
    case waitOrCancel(Int)
    case take, takeFromChild, give
    case lock, add
    case sleep(Int)
    case group, groupThatThrows, groupThatIsCancelled, groupAtOnce
    case handler, leaveChild, awaitChild
    case beginOnActor, beginOnMain, mainActor
    case awaitOnActor(Int)
    case shareOnActor, takeOnActor, awaitChildOnActor, groupOnActor
    case awaitOnMain(Int)
  }

  public let tasks: [[Instruction]]

  public init(_ tasks: [[Instruction]]) { self.tasks = tasks }

  public var description: String { "\(tasks)" }

  /// Runs the tasks, and returns what they saw.
  public func run() async -> String {
    let world = World()
    let begun = tasks.enumerated().map { index, instructions in
      Task { await world.run(instructions, as: index) }
    }
    world.begun.withLock { $0 = begun }
    var results: [String] = []
    for task in begun { results.append(await task.value) }
    for task in world.later.withLock(\.self) { await task.value }
    let log = await world.actor.log
    return (results + [world.log.withLock(\.self), log, "\(world.count)"]).joined(separator: " ")
  }
}

private actor Speaker {
  private(set) var log = ""
  func say(_ word: String) { log += word }
  func begin(_ word: String) -> Task<Void, Never> { Task { say(word) } }

  // Each of these leaves the actor if what it awaits is not there yet.

  private var shared: Task<String, Never>?

  func await(_ task: Task<String, Never>) async {
    say("<")
    _ = await task.value
    say(">")
  }

  /// Begins what others may take.
  func share(_ word: String) { shared = shared ?? Task.detached { word } }

  /// Two may take the same one.
  func take() async {
    guard let task = shared else { return say("0") }
    say("-")
    _ = await task.value
    say(shared == nil ? "2" : "1")
    shared = nil
  }

  func awaitChild(_ body: @escaping @Sendable () -> String) async {
    async let child = body()
    say("{")
    say(await child + "}")
  }

  func group(_ body: @escaping @Sendable () -> String) async {
    await withTaskGroup(of: String.self) { group in
      group.addTask { body() }
      say("[")
      for await word in group { say(word) }
      say("]")
    }
  }
}

private actor Permits {
  private var count = 0
  private var waiters: [UnsafeContinuation<Void, Never>] = []

  func take() async {
    if count > 0 { count -= 1 } else { await withUnsafeContinuation { waiters.append($0) } }
  }

  func give() {
    if waiters.isEmpty { count += 1 } else { waiters.removeFirst().resume() }
  }
}

private struct Failure: Error {}

private final class World: @unchecked Sendable {
  // Sendable: but for `count`, which races on purpose, all is synchronised.
  let begun = Mutex<[Task<String, Never>]>([])
  let later = Mutex<[Task<Void, Never>]>([])
  let log = Mutex("")
  let actor = Speaker()
  let permits = Permits()
  var count = 0
  private let lock = NSLock()
  private let stream: AsyncStream<Int>
  private let sender: AsyncStream<Int>.Continuation
  private let waiting = Mutex<(permits: Int, waiters: [(Int, UnsafeContinuation<Bool, Never>)])>(
    (0, []))

  init() {
    (stream, sender) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  private func say(_ word: String) { log.withLock { $0 += word } }

  /// A task by its number, once it has begun.
  private func other(_ index: Int) -> Task<String, Never>? {
    begun.withLock(\.self).dropFirst(index).first
  }

  func run(_ instructions: [TaskProgram.Instruction], as index: Int) async -> String {
    var result = ""
    for instruction in instructions {
      switch instruction {
      case .say: say("\(index)")
      case .ask: result += Task.isCancelled ? "C" : "n"
      case .begin: later.withLock { $0.append(Task { [self] in say("b") }) }
      case .beginAtOnce:
        let task = Task.immediate { [self] in
          await actor.say(Task.isCancelled ? "I" : "i")
          say(Task.isCancelled ? "J" : "j")
        }
        if index == 0 { task.cancel() }
        later.withLock { $0.append(task) }
      case .beginAtOnceWithChild:
        let task = Task.immediate { [self] in
          async let child = Task.isCancelled ? "Q" : "q"
          let early = Task.isCancelled ? "I" : "i"
          say(await child + early + (Task.isCancelled ? "J" : "j"))
        }
        later.withLock { $0.append(task) }
        if index == 0 { task.cancel() }
      case .call: await actor.say("\(index)")
      case .hop: await Task.yield()
      case .cancel(let other): self.other(other)?.cancel()
      case .cancelSelf: withUnsafeCurrentTask { $0?.cancel() }
      case .askOf(let other):
        result += self.other(other)?.isCancelled == true ? "x" : "o"
      case .await(let other):
        if let task = self.other(other) { result += await task.value }
      case .send: sender.yield(index)
      case .sendTwice:
        sender.yield(index)
        sender.yield(index + 5)
      case .finish: sender.finish()
      case .receive:
        for await number in stream.prefix(1) { result += "\(number)" }
      case .wait: result += await wait(index) ? "w" : "-"
      case .waitOrBeCancelled:
        result += await wait(index) { [self] in end(index) }
      case .waitOrLog:
        result += await wait(index) { [self] in
          say("!")
          end(index)
          say("?")
        }
      case .waitOrResumeAnother:
        result += await wait(index) { [self] in
          end(index)
          nextWaiter()?.resume(returning: true)
        }
      case .waitOrSubmit:
        result += await wait(index) { [self] in
          later.withLock { $0.append(Task { [self] in end(index) }) }
        }
      case .waitOrCancel(let other):
        result += await wait(index) { [self] in
          self.other(other)?.cancel()
          end(index)
        }
      case .resume: nextWaiter()?.resume(returning: true)
      case .resumeUnderLock:
        lock.withLock { nextWaiter()?.resume(returning: true) }
      case .take:
        await withTaskCancellationHandler {
          await permits.take()
        } onCancel: {
          say("!")
        }
      case .takeFromChild:
        result += await withTaskGroup(of: String.self) { group in
          group.addTask { [self] in
            await permits.give()
            return Task.isCancelled ? "G" : "g"
          }
          await permits.take()
          return (Task.isCancelled ? "T" : "t") + (await group.next() ?? "")
        }
      case .give: await permits.give()
      case .lock:
        lock.withLock { count += 1 }
      case .add: count += 1
      case .sleep(let milliseconds):
        result += (try? await Task.sleep(for: .milliseconds(milliseconds))) == nil ? "c" : "s"
      case .group:
        result += await withTaskGroup(of: String.self) { group in
          group.addTask { "1" }
          group.addTask { [self] in
            say("g")
            return "2"
          }
          return await group.next() ?? ""
        }
      case .groupThatThrows:
        let isCaught: Void? = try? await withThrowingTaskGroup(of: Void.self) { group in
          group.addTask { [self] in say(Task.isCancelled ? "C" : "n") }
          throw Failure()
        }
        result += isCaught == nil ? "f" : "?"
      case .groupThatIsCancelled:
        result += await withTaskGroup(of: String.self) { group in
          group.addTask { Task.isCancelled ? "C" : "n" }
          group.cancelAll()
          let isAdded = group.addTaskUnlessCancelled { "added" }
          return (await group.next() ?? "") + (isAdded ? "a" : "")
        }
      case .groupAtOnce:
        result += await withTaskGroup(of: String.self) { group in
          group.addImmediateTask { Task.isCancelled ? "E" : "e" }
          group.addImmediateTask { [self] in
            await actor.say("u")
            return Task.isCancelled ? "U" : "u"
          }
          return await group.reduce("", +)
        }
      case .handler:
        await withTaskCancellationHandler {
          say("h")
        } onCancel: {
          say("!")
        }
      case .leaveChild:
        async let _: Void = say(Task.isCancelled ? "L" : "l")
      case .awaitChild:
        async let child = Task.isCancelled ? "A" : "a"
        result += await child
      case .beginOnActor:
        let task = await actor.begin("t")
        later.withLock { $0.append(task) }
      case .beginOnMain:
        let task = Task { @MainActor [self] in say("t") }
        later.withLock { $0.append(task) }
      case .awaitOnActor(let other):
        if let task = self.other(other) { await actor.await(task) }
      case .awaitOnMain(let other):
        if let task = self.other(other) {
          await awaitOnMain(task)
        }
      case .shareOnActor: await actor.share("\(index)")
      case .takeOnActor: await actor.take()
      case .awaitChildOnActor:
        await actor.awaitChild { [self] in
          lock.withLock { count += 1 }
          return "k"
        }
      case .groupOnActor:
        await actor.group { [self] in
          lock.withLock { count += 1 }
          return "g"
        }
      case .mainActor: await MainActor.run { [self] in say("m") }
      }
    }
    return result
  }

  @MainActor private func awaitOnMain(_ task: Task<String, Never>) async {
    say("<")
    _ = await task.value
    say(">")
  }

  private func wait(_ index: Int) async -> Bool {
    await withUnsafeContinuation { continuation in
      let goesOn = waiting.withLock { waiting in
        if waiting.permits > 0 {
          waiting.permits -= 1
          return true
        }
        waiting.waiters.append((index, continuation))
        return false
      }
      if goesOn { continuation.resume(returning: true) }
    }
  }

  private func wait(_ index: Int, onCancel handler: @Sendable () -> Void) async -> String {
    await withTaskCancellationHandler(operation: { await wait(index) }, onCancel: handler)
      ? "w" : "c"
  }

  private func nextWaiter() -> UnsafeContinuation<Bool, Never>? {
    waiting.withLock { waiting in
      if waiting.waiters.isEmpty {
        waiting.permits += 1
        return nil
      }
      return waiting.waiters.removeFirst().1
    }
  }

  /// Lets a waiter go on in vain.
  private func end(_ index: Int) {
    let waiter = waiting.withLock { waiting in
      waiting.waiters.firstIndex { $0.0 == index }.map { waiting.waiters.remove(at: $0).1 }
    }
    waiter?.resume(returning: false)
  }
}
