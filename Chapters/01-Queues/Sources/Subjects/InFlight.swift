import Dispatch
import Workbook

extension Subject {
  static let inFlight = Subject(
    "in-flight",
    asks: "Upload a is slow, b is not. In what order do they finish?",
    right: .allowed("b a"), .forbidden("a b"),
    implementations: [
      .before("concurrent queue") { _ in
        let (finished, isSecondDone) = (Transcript(), DispatchSemaphore(value: 0))
        let uploads = QueuedAtOnce.Uploads { upload in
          if upload.name == "a" { isSecondDone.wait() }
          finished.say(upload.name)
          if upload.name == "b" { isSecondDone.signal() }
        }
        uploads.submit([Upload("a"), Upload("b")])
        let isDone = DispatchSemaphore(value: 0)
        uploads.finish { isDone.signal() }
        isDone.wait()
        return finished.steps.joined(separator: " ")
      }
      .code("UploadsConcurrentQueue.swift", "attributes: .concurrent"),
      .after("task group") { _ in
        let (finished, isSecondDone) = (Transcript(), Gate())
        let uploads = Grouped.Uploads { upload in
          if upload.name == "a" { await isSecondDone.wait() }
          finished.say(upload.name)
          if upload.name == "b" { isSecondDone.open() }
        }
        await uploads.upload([Upload("a"), Upload("b")])
        return finished.steps.joined(separator: " ")
      }
      .code("UploadsTaskGroup.swift", "withDiscardingTaskGroup"),
    ])
}
