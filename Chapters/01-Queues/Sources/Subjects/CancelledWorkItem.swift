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
      }
      .code("ThumbnailWorkItem.swift", "func start(on"),
      .after("Task", .surprising("begun", "a task always begins; it has to look")) { stage in
        let (begun, isCancelled) = (Transcript(), Gate())
        let thumbnail = Tasked.Thumbnail(of: .twoFaces) { row in
          await isCancelled.wait()
          begun.say("row \(row)")
        }
        thumbnail.cancel()
        isCancelled.open()
        do { _ = try await thumbnail.photo } catch {
          stage.say("where it looks, it throws \(type(of: error))")
        }
        return begun.steps.isEmpty ? "not begun" : "begun"
      }
      .code("ThumbnailTask.swift", "task = Task {")
      .alwaysWrong,
    ])
}
