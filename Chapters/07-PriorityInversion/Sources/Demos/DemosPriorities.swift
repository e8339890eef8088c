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
      },
      .before(
        "an urgent block on a background queue",
        .surprising("nice 10", "the queue's class counts, also with enforceQoS"),
        .allowed(noNice), .forbidden("nice -2"), .forbidden("nice 0")
      ) { _ in
        let queue = DispatchQueue(label: "background", qos: .background)
        return niceness([await nice(on: queue, qos: .userInitiated, flags: .enforceQoS)])
      },
      .before(
        "group.wait() for a background block",
        .surprising("nice 10, 10", "whoever waits raises nobody"), .allowed(noNice),
        .forbidden("nice 10, 0"), .forbidden("nice 10, -2")
      ) { _ in niceness(await readingsWhileWaitedFor { niceValue }) },
      .after(
        "await of a background task, thread",
        .surprising("nice 10, 10", "the task is raised, and not the thread that it is on"),
        .allowed(noNice), .forbidden("nice 10, 0"), .forbidden("nice 10, -2")
      ) { _ in niceness(await readingsWhileAwaited { niceValue }) },
      .after(
        "the same, once it has waited itself",
        .allowed("nice 10, -2", "it goes on in the pool of its new priority"),
        .allowed("nice 10, 0", "less than 0 takes a privilege"), .allowed(noNice),
        .forbidden("nice 10, 10")
      ) { _ in niceness(await readingsAroundWait { niceValue }) },
      .after(
        "await of a background task, priority", .allowed("9, 25", "at once"),
        .forbidden("9, 9")
      ) { _ in
        await readingsWhileAwaited { Int(Task.currentPriority.rawValue) }
          .map { "\($0)" }.joined(separator: ", ")
      },
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
      },
      .after(
        "its handler", .allowed("9 to 25", "called at once, on the thread of who awaits"),
        .forbidden("not called")
      ) { _ in await escalations().first ?? "not called" },
      .after(
        "awaited while it reads from a disk", .allowed("high before middle"),
        .forbidden("high after middle")
      ) { transcript in
        await tell(encounter(awaiting: .value, middle: 20), transcript)
      },
      .after(
        "awaited while it is in line for the core",
        .surprising("high after middle", "on Linux it stays where it stood in the line"),
        .forbidden("high before middle")
      ) { transcript in
        await tell(encounter(awaiting: .inLine, middle: 20), transcript)
      },
      .after(
        "awaited while it is in line for an actor",
        .surprising("utility, background, raised", "on Linux it stays where it stood in the line"),
        .forbidden("raised, utility, background")
      ) { _ in await orderOfWhoIsRaisedInLine().joined(separator: ", ") },
      .after(
        "on an actor that high waits for",
        .surprising("9, 9", "on Linux nobody is raised: high awaits the actor, and no task"),
        .forbidden("9, 25")
      ) { _ in
        await readingsOnBusyActor { Int(Task.currentPriority.rawValue) }
          .map { "\($0)" }.joined(separator: ", ")
      },
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
    })

  static let groupPriorities = Demo(
    "group-priorities",
    asks: "A task of utility priority, 17, begins others. Which priorities do they have?",
    sides: [
      .after(
        "Task(priority: .high)", .allowed("base 25, current 25"), .forbidden("base 25, current 17")
      ) { _ in
        await inUtilityTask { await Task(priority: .high) { priorities() }.value }
      },
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
      },
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
      },
      .after(
        "async let", .allowed("base 17, current 17"), .forbidden("base 21, current 21")
      ) { _ in
        await inUtilityTask {
          async let child = priorities()
          return await child
        }
      },
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

private func tell(_ story: Story<Int>, _ transcript: Transcript) -> String {
  transcript.say(story.events.map(\.rawValue).joined(separator: ", "))
  let wait = story.time(of: .highIsInside)! - story.time(of: .highAsks)!
  transcript.say("high waits for \(wait) of the core's jobs; middle has 20")
  return story.verdict
}
