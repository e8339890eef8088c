import PrioritySimulation
import Workbook

extension Demo {
  static let urgentUpload = Demo(
    "urgent-upload",
    asks: "An urgent upload waits for one in the background. Does it wait for a search, too?",
    sides: [
      Side.simulated(
        .uploads(search: 30), .fifoQueue, as: "serial queue",
        .surprising("blocked for 49 ticks", "30 of them by the search, which uploads nothing"),
        .forbidden("blocked for 19 ticks")
      )
      .code("DemosUrgentUpload.swift", "Job(\"urgent"),
      Side.simulated(
        .uploads(search: 30), .fifoQueueWithOverride, as: "serial queue that raises what is ahead",
        in: .before, .allowed("blocked for 19 ticks", "the rest of the upload ahead"),
        .forbidden("blocked for 49 ticks")
      )
      .code("DemosUrgentUpload.swift", "Job(\"urgent"),
      Side.simulated(
        .uploads(search: 30), .fifoQueue, as: "stream with one consumer", in: .after,
        .surprising("blocked for 49 ticks", "nobody knows that the urgent one waits"),
        .forbidden("blocked for 19 ticks")
      )
      .code("UploadsStream.swift", "consumer = Task"),
      Side.simulated(
        .uploads(search: 30), .fifoQueueWithOverride,
        as: "tasks, each of which awaits the one before",
        .allowed("blocked for 19 ticks", "what is awaited is raised"),
        .forbidden("blocked for 49 ticks")
      )
      .code("UploadsTask.swift", "last = Task(priority"),
    ])
}

extension TaskSet {
  /// Two uploads that must not run at once, and a search for faces in between; for one core and fixed priorities.
  ///
  /// - Parameter search: How many ticks the search computes.
  static func uploads(search: Int) -> TaskSet {
    let upload: [Segment] = [.lock("uploads"), .compute(20), .unlock("uploads")]
    return TaskSet(
      jobs: [
        Job("urgent", priority: 3, release: 1, upload),
        Job("search", priority: 2, release: 1, [.compute(search)]),
        Job("background", priority: 1, upload),
      ],
      locks: ["uploads"])
  }
}
