import Dispatch
import Workbook

extension Subject {
  static let cancelledWorkItem = Subject(
    "cancelled-work-item",
    asks: "Work is cancelled before it starts. Does its body still begin?",
    right: .allowed("not begun"),
    implementations: [
      .before("DispatchWorkItem") { stage in
        let begun = Transcript()
        let item = Cancellable.Thumbnail(of: .twoFaces) { begun.say("row \($0)") }
        item.cancel()
        let photo = await withCheckedContinuation { continuation in
          item.start(on: .global()) { continuation.resume(returning: $0) }
        }
        stage.say(
          "the completion is called all the same, with \(photo == nil ? "no photo" : "a photo")")
        return begun.steps.isEmpty ? "not begun" : "begun"
      },
      .after("Task", .surprising("begun", "a task always begins; it has to look")) { stage in
        let begun = Transcript()
        let task = await MainActor.run {
          // It cannot begin before the main actor is free, and by then it is cancelled.
          let task = Task { @MainActor in
            begun.say("begun")
            try Task.checkCancellation()
            begun.say("went on")
          }
          task.cancel()
          return task
        }
        if case .failure(let error) = await task.result {
          stage.say("where it looks, it throws \(type(of: error))")
        }
        return begun.steps.isEmpty ? "not begun" : begun.steps.joined(separator: ", ")
      }
      .alwaysWrong,
    ])
}
