import Dispatch
import Workbook

extension Subject {
  static let startOrder = Subject(
    "start-order",
    asks: "Uploads a and b are handed over. In what order do they begin?",
    right: .allowed("a b"),
    implementations: [
      .before(
        "concurrent queue", .surprising("b a", "a is taken first, and its thread may come late")
      ) { _ in
        begun(QueuedAtOnce.Uploads.init)
      }
      .code("UploadsConcurrentQueue.swift", "queue.async(group: group)")
      .notPlayed("how many threads there are is up to Dispatch"),
      .after("task group", .surprising("b a", "children begin in any order")) { _ in
        let begun = Transcript()
        await Grouped.Uploads { begun.say($0.name) }.upload([Upload("a"), Upload("b")])
        return begun.steps.joined(separator: " ")
      }
      .code("UploadsTaskGroup.swift", "for upload in batch")
      .notPlayed("how many threads there are is up to the pool"),
      .after("stream with one consumer") { _ in
        let begun = Transcript()
        let uploads = Streamed.Uploads { begun.say($0.name) }
        uploads.submit([Upload("a"), Upload("b")])
        await uploads.finish()
        return begun.steps.joined(separator: " ")
      }
      .code("UploadsStream.swift", "consumer = Task {")
      .notPlayed("queues/batch-order plays it"),
      .after("tasks, each of which awaits the one before") { _ in
        let begun = Transcript()
        let uploads = Tasked.Uploads { begun.say($0.name) }
        uploads.submit([Upload("a"), Upload("b", isUrgent: true)])
        await uploads.finish()
        return begun.steps.joined(separator: " ")
      }
      .code("UploadsTask.swift", "last = Task(priority")
      .notPlayed("the suite plays it"),
    ])
}

/// In what order the uploads begin that a queue is given.
private func begun(
  _ make: (_ send: @escaping @Sendable (Upload) -> Void) -> QueuedAtOnce.Uploads
) -> String {
  let begun = Transcript()
  let uploads = make { begun.say($0.name) }
  uploads.submit([Upload("a"), Upload("b")])
  let isDone = DispatchSemaphore(value: 0)
  uploads.finish { isDone.signal() }
  isDone.wait()
  return begun.steps.joined(separator: " ")
}
