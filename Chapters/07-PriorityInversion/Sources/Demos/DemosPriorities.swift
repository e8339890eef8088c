import Dispatch
import Foundation
import Synchronization
import Workbook

// Nice values of threads are those of Linux; elsewhere there are none to read, and a demo says so.

/// The nice value of the calling thread, 0 for an ordinary one; nil where threads have none.
private var niceValue: Int? {
  #if os(Linux)
    Int(getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0))
  #else
    nil
  #endif
}

private let noNice = "threads have no nice value here"

private func niceness(_ values: [Int?]) -> String {
  let known = values.compactMap(\.self)
  if known.count < values.count { return noNice }
  return "nice " + known.map { "\($0)" }.joined(separator: ", ")
}

extension Demo {
  static let qualityOfService = Demo(
    "quality-of-service",
    asks: "What does a quality of service do on Linux, and what does waiting do to it?",
    sides: [
      .before(
        "a global queue of each class",
        .allowed("nice 10, 2, 0, -2, -2", "each class has threads of its own"),
        .allowed("nice 10, 2, 0, 0, 0", "less than 0 takes a privilege"), .allowed(noNice),
        .forbidden("nice 0, 0, 0, 0, 0")
      ) { _ in
        let classes: [DispatchQoS.QoSClass] = [
          .background, .utility, .default, .userInitiated, .userInteractive,
        ]
        var values: [Int?] = []
        for quality in classes { values.append(await nice(on: .global(qos: quality))) }
        return niceness(values)
      }
      .code("DemosPriorities.swift", "var values: [Int?]"),
      .before(
        "an urgent block on a background queue",
        .surprising("nice 10", "the queue's class counts, also with enforceQoS"),
        .allowed(noNice), .forbidden("nice -2"), .forbidden("nice 0")
      ) { _ in
        let queue = DispatchQueue(label: "background", qos: .background)
        return niceness([await nice(on: queue, qos: .userInitiated, flags: .enforceQoS)])
      }
      .code("DemosPriorities.swift", "let queue = DispatchQueue("),
      .before(
        "group.wait() for a background block",
        .surprising("nice 10, 10", "the waiter raises nobody"), .allowed(noNice),
        .forbidden("nice 10, 0"), .forbidden("nice 10, -2")
      ) { _ in niceness(await readingsWhileWaitedFor { niceValue }) }
      .code("PreviewGroup.swift", "var image"),
      .after(
        "await of a background task, thread",
        .surprising("nice 10, 10", "the task is raised, and not the thread that it is on"),
        .allowed(noNice), .forbidden("nice 10, 0"), .forbidden("nice 10, -2")
      ) { _ in niceness(await readingsWhileAwaited { niceValue }) }
      .code("PreviewTask.swift", "var image"),
      .after(
        "the same, once it has waited itself",
        .allowed("nice 10, -2", "it goes on in the pool of its new priority"),
        .allowed("nice 10, 0", "less than 0 takes a privilege"), .allowed(noNice),
        .forbidden("nice 10, 10")
      ) { _ in niceness(await readingsAroundWait { niceValue }) }
      .code("SchedulesPriorities.swift", "withTaskExecutorPreference"),
      .after(
        "await of a background task, priority", .allowed("9, 25", "at once"),
        .forbidden("9, 9")
      ) { _ in
        await readingsWhileAwaited { Int(Task.currentPriority.rawValue) }
          .map { "\($0)" }.joined(separator: ", ")
      }
      .code("PreviewTask.swift", "var image"),
    ])

  /// The nice value of the thread that runs a block on a queue.
  private static func nice(
    on queue: DispatchQueue, qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = []
  ) async -> Int? {
    await withCheckedContinuation { continuation in
      queue.async(qos: qos, flags: flags) { continuation.resume(returning: niceValue) }
    }
  }

  static let escalation = Demo(
    "escalation",
    asks: "A task of high priority awaits one of the background. When does the low one notice?",
    sides: [
      .after(
        "awaited while it runs",
        .allowed("9, 25; base 9", "its priority rises, its base priority stays"),
        .forbidden("9, 9; base 9")
      ) { _ in
        let readings = await readingsWhileAwaited {
          (Int(Task.currentPriority.rawValue), Int(Task.basePriority?.rawValue ?? 0))
        }
        return "\(readings[0].0), \(readings[1].0); base \(readings[1].1)"
      }
      .code("PreviewTask.swift", "var image"),
      .after(
        "its handler", .allowed("9 to 25", "called at once, on the thread of the waiter"),
        .forbidden("not called")
      ) { _ in await escalations().first ?? "not called" }
      .code("SchedulesPriorities.swift", "onPriorityEscalated"),
      .after(
        "awaited while it reads from a disk", .allowed("high before middle"),
        .forbidden("high after middle")
      ) { transcript in
        await tell(encounter(awaiting: .value, middle: 20), transcript)
      }
      .code("SchedulesTasks.swift", "func read()"),
      .after(
        "awaited while it is in line for the core",
        .surprising("high after middle", "on Linux it stays where it stood in the line"),
        .forbidden("high before middle")
      ) { transcript in
        await tell(encounter(awaiting: .inLine, middle: 20), transcript)
      }
      .code("SchedulesTasks.swift", "func read()"),
      .after(
        "awaited while it is in line for an actor",
        .surprising("utility, background, raised", "on Linux it stays where it stood in the line"),
        .forbidden("raised, utility, background")
      ) { _ in await orderOfWhoIsRaisedInLine().joined(separator: ", ") }
      .code("SchedulesPriorities.swift", "Task.immediateDetached(priority: priority)"),
      .after(
        "on an actor that high waits for",
        .surprising("9, 9", "on Linux nobody is raised: high awaits the actor, and no task"),
        .forbidden("9, 25")
      ) { _ in
        await readingsOnBusyActor { Int(Task.currentPriority.rawValue) }
          .map { "\($0)" }.joined(separator: ", ")
      }
      .code("SchedulesPriorities.swift", "{ await index.add"),
    ])

  static let whereEscalationEnds = Demo(
    "where-escalation-ends",
    asks: "Three tasks on one core, high waits for what low does. Does it wait for middle?",
    sides: Awaited.all.map { awaited in
      Side(
        .after, awaited.rawValue,
        awaited.isRaised
          ? [.allowed("high before middle"), .forbidden("high after middle")]
          : [
            .surprising("high after middle", "nobody is awaited, so nobody is raised"),
            .forbidden("high before middle"),
          ]
      ) { transcript in
        await tell(encounter(awaiting: awaited, middle: 20), transcript)
      }
      .code(awaited.code.file, awaited.code.anchor)
    })

  static let groupPriorities = Demo(
    "group-priorities",
    asks: "A task of utility priority, 17, begins others. Which priorities do they have?",
    sides: [
      .after(
        "Task(priority: .high)", .allowed("base 25, current 25"), .forbidden("base 25, current 17")
      ) { _ in
        await inUtilityTask { await Task(priority: .high) { priorities() }.value }
      }
      .code("DemosPriorities.swift", "Task(priority: .high)"),
      .after(
        "addTask(priority: .high)",
        .surprising("base 25, current 17", "a child runs at its parent's, whatever it asks for"),
        .forbidden("base 25, current 25")
      ) { _ in
        await inUtilityTask {
          await withTaskGroup { group in
            group.addTask(priority: .high) { priorities() }
            return await group.next()!
          }
        }
      }
      .code("DemosPriorities.swift", "group.addTask(priority: .high)"),
      .after(
        "addTask(priority: .background)",
        .surprising("base 9, current 17", "its parent waits for it"),
        .forbidden("base 9, current 9")
      ) { _ in
        await inUtilityTask {
          await withTaskGroup { group in
            group.addTask(priority: .background) { priorities() }
            return await group.next()!
          }
        }
      }
      .code("DemosPriorities.swift", "group.addTask(priority: .background)"),
      .after(
        "async let", .allowed("base 17, current 17"), .forbidden("base 21, current 21")
      ) { _ in
        await inUtilityTask {
          async let child = priorities()
          return await child
        }
      }
      .code("DemosPriorities.swift", "async let child"),
    ])

  private static func priorities() -> String {
    "base \(Task.basePriority?.rawValue ?? 0), current \(Task.currentPriority.rawValue)"
  }

  /// Runs a piece of code in a task of utility priority that nobody awaits, so that nobody raises it.
  private static func inUtilityTask(_ work: @escaping @Sendable () async -> String) async -> String
  {
    await withCheckedContinuation { continuation in
      Task.detached(priority: .utility) { continuation.resume(returning: await work()) }
    }
  }
}

extension Awaited {
  /// Where it is decided whether low is raised: a file, and what the first of the lines contains.
  fileprivate var code: (file: String, anchor: String) {
    switch self {
    case .semaphore: ("TurnSemaphore.swift", "if state.isTaken")
    case .stream: ("SchedulesTasks.swift", "for await _ in lines")
    case .inLine: ("SchedulesTasks.swift", "func read()")
    case .chain: ("TurnTask.swift", "let previous")
    case .value: ("SchedulesTasks.swift", "await low.value")
    case .escalated: ("SchedulesTasks.swift", "func raiseCurrentTask")
    }
  }
}

private func tell(_ story: Story<Int>, _ transcript: Transcript) -> String {
  transcript.say(story.events.map(\.rawValue).joined(separator: ", "))
  let wait = story.time(of: .highIsInside)! - story.time(of: .highAsks)!
  transcript.say("high waits for \(wait) of the core's jobs; middle has 20")
  return story.verdict
}
