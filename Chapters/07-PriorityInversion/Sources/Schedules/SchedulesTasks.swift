import Workbook

/// What high waits for, in an inversion of tasks.
enum Awaited: String, Sendable {
  case semaphore = "a continuation in a semaphore's line"
  case stream = "an element of a stream"
  case inLine = "the value of low's task, which only yields"
  case chain = "a task in a chain of tasks"
  case value = "the value of low's task"
  case escalated = "a continuation; low raised itself"

  static let all: [Awaited] = [.semaphore, .stream, .value, .chain, .escalated]

  var isRaised: Bool { ![.semaphore, .stream, .inLine].contains(self) }
}

/// Low, middle and high as tasks on one core; high wants what low has.
///
/// Low reads from a disk twice while it is inside. Middle is so many tasks of one job each.
///
/// - Returns: What happened, in jobs.
func encounter(awaiting awaited: Awaited, middle: Int) async -> Story<Int> {
  let core = OneCore()
  let story = Story<Int>()
  let turn: any Turning = awaited == .chain ? Chained.Turn(on: core) : Counted.Turn()
  let (lines, line) = AsyncStream.makeStream(of: String.self)
  let isInside = Gate()

  @Sendable func enter() {
    story.tell(.lowIsInside, at: core.time)
    isInside.open()
  }
  @Sendable func read() async {
    for _ in 1...2 {
      if awaited == .inLine { await Task.yield() } else { await core.wait(2) }
    }
    story.tell(.lowLeaves, at: core.time)
  }
  let low = Task(executorPreference: core, priority: .background) {
    switch awaited {
    case .semaphore, .chain, .escalated:
      await turn.take {
        if awaited == .escalated { raiseCurrentTask(to: .high) }
        enter()
        await read()
      }
    case .stream:
      enter()
      await read()
      line.yield("photo")
    case .value, .inLine:
      enter()
      await read()
    }
  }
  let high = Task(executorPreference: core, priority: .high) {
    await isInside.wait()
    story.tell(.highAsks, at: core.time)
    for number in 1...middle {
      Task(executorPreference: core, priority: .utility) {
        if number == 1 { story.tell(.middleBegins, at: core.time) }
        if number == middle { story.tell(.middleEnds, at: core.time) }
      }
    }
    switch awaited {
    case .semaphore, .chain, .escalated:
      await turn.take { story.tell(.highIsInside, at: core.time) }
    case .stream:
      for await _ in lines { break }
      story.tell(.highIsInside, at: core.time)
    case .value, .inLine:
      await low.value
      story.tell(.highIsInside, at: core.time)
    }
  }
  await blocking { core.run() }
  await low.value
  await high.value
  return story
}

private func raiseCurrentTask(to priority: TaskPriority) {
  withUnsafeCurrentTask { $0?.escalatePriority(to: priority) }
}
