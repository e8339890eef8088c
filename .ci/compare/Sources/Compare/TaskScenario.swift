import Interleaving

/// A few tasks that use a few actors, continuations, streams and shared variables.
struct TaskScenario: Sendable, CustomStringConvertible {
  enum Operation: Sendable {
    case append(Int)
    case increment(Int)
    case read(Int)
    case write(Int)
    case update(Int)
    case yield
    case sleep(Int)
    case yieldOnMain
    case wait(Int)
    case signal(Int)
    case send, receive
    case child([Operation])
    case start([Operation])
    case immediately(Int)
    case cancel
    case await(Int)
  }

  let tasks: [[Operation]]
  let isStructured: Bool
  let time: VirtualTime
  let isMixed: Bool

  var description: String {
    "\(isStructured ? "group" : "tasks") \(time) \(isMixed ? "mixed " : "")\(tasks)"
  }

  init(using generator: inout Generator) {
    isStructured = Bool.random(using: &generator)
    time = Int.random(in: 0..<4, using: &generator) == 0 ? .passesWhenIdle : .passesAtAnyStep
    isMixed = Int.random(in: 0..<8, using: &generator) == 0
    let count = Int.random(in: 2...3, using: &generator)
    tasks = (0..<count).map { index in
      (0..<(index == 0 ? Int.random(in: 1...3, using: &generator) : 1)).map { _ in
        Self.operation(depth: 0, before: index, using: &generator)
      }
    }
  }

  private static func operation(
    depth: Int, before index: Int, using generator: inout Generator
  ) -> Operation {
    let object = Int.random(in: 0...1, using: &generator)
    switch Int.random(in: 0..<(depth == 0 ? 18 : 12), using: &generator) {
    case 0: return .append(object)
    case 1: return .increment(object)
    case 2, 3: return .read(object)
    case 4: return .write(object)
    case 5: return .update(object)
    case 6: return .yield
    case 7: return .sleep(object + 1)
    case 8: return .wait(object)
    case 9: return .signal(object)
    case 10: return .send
    case 11: return .receive
    case 12: return .yieldOnMain
    case 13, 14:
      return .child((0...object).map { _ in operation(depth: 1, before: index, using: &generator) })
    case 15:
      return .start((0...object).map { _ in operation(depth: 1, before: index, using: &generator) })
    case 16: return .cancel
    default: return index > 0 ? .await(Int.random(in: 0..<index, using: &generator)) : .yield
    }
  }

  func run() async -> String {
    let world = World()
    var results: [String] = []
    if isStructured {
      results = await withTaskGroup(of: String.self) { group in
        for (index, operations) in tasks.enumerated() {
          group.addTask(priority: priority(of: index)) { await world.run(operations, as: index) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    } else {
      await world.keep(
        tasks.enumerated().map { index, operations in
          Task(priority: priority(of: index)) { await world.run(operations, as: index) }
        })
      for task in await world.tasks { results.append(await task.value) }
    }
    return results.joined(separator: " ") + " " + (await world.summary)
  }

  private func priority(of index: Int) -> TaskPriority? {
    isMixed ? (index == 1 ? .high : .low) : nil
  }

  actor World {
    private let boxes = [Box(), Box()]
    private let semaphores = [Gate(0), Gate(1)]
    private let shared = [Shared(0, "x"), Shared(0, "y")]
    private let stream: AsyncStream<Int>
    private let continuation: AsyncStream<Int>.Continuation
    private(set) var tasks: [Task<String, Never>] = []

    init() { (stream, continuation) = AsyncStream.makeStream(of: Int.self) }

    func keep(_ tasks: [Task<String, Never>]) { self.tasks = tasks }

    nonisolated func run(_ operations: [Operation], as index: Int) async -> String {
      var result = "\(index)"
      for operation in operations {
        switch operation {
        case .append(let box): await boxes[box].append(index)
        case .increment(let box):
          let value = await boxes[box].value
          await boxes[box].set(value + 1)
        case .read(let variable): result += "r\(shared[variable].value)"
        case .write(let variable): shared[variable].value = index + 1
        case .update(let variable): shared[variable].update { $0 += 10 }
        case .yield: await Task.yield()
        case .sleep(let milliseconds):
          let isCancelled = (try? await Task.sleep(for: .milliseconds(milliseconds))) == nil
          result += isCancelled ? "c" : ""
        case .yieldOnMain: await Self.onMain()
        case .wait(let semaphore): await semaphores[semaphore].wait()
        case .signal(let semaphore): await semaphores[semaphore].signal()
        case .send: continuation.yield(index)
        case .receive:
          for await value in stream {
            result += "s\(value)"
            break
          }
        case .child(let operations):
          async let child = run(operations, as: index)
          result += "(" + (await child) + ")"
        case .start(let operations):
          let task = Task { await run(operations, as: index) }
          await Task.yield()
          result += "[" + (await task.value) + "]"
        case .immediately: break
        case .cancel: await tasks.first?.cancel()
        case .await(let other):
          let tasks = await tasks
          if other < tasks.count { result += await tasks[other].value }
        }
      }
      return result
    }

    @MainActor private static func onMain() async { await Task.yield() }

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
    var text: String { "\(log)/\(value)" }
  }

  actor Gate {
    private var count: Int
    private var waiters: [CheckedContinuation<Void, Never>] = []

    init(_ count: Int) { self.count = count }

    func wait() async {
      count -= 1
      if count < 0 { await withCheckedContinuation { waiters.append($0) } }
    }

    func signal() {
      count += 1
      if !waiters.isEmpty { waiters.removeFirst().resume() }
    }
  }
}
