import Foundation
import Workbook

extension Subject {
  static let earlyReturn = Subject(
    "early-return",
    asks: "There is nothing to send, so main() returns early. When does the queue go on?",
    right: .allowed("told once"), .forbidden("told nothing"),
    implementations: [
      .before(
        "return", .deadlock("nobody says that it is finished")
      ) { stage in
        let (server, told) = (Server(), Told())
        stage.aboutToBlock("addOperations(_:waitUntilFinished: true)")
        return finished(
          ReturningEarly.UploadOperation(.empty, send: server.send, report: told.report), told)
      }
      .code("UploadReturningEarly.swift", "guard !photo.bytes.isEmpty")
      .alwaysWrong
      .found("scenario waits for the end of UploadOperation"),
      .before("return finish()") { _ in
        let (server, told) = (Server(), Told())
        return finished(
          Concurrent.UploadOperation(.empty, send: server.send, report: told.report), told)
      }
      .code("UploadOperation.swift", "guard !photo.bytes.isEmpty"),
      .after("task", .allowed("told once", "a function that throws has ended")) { _ in
        let (server, told) = (Server(), Told())
        told.report(await Awaited.Upload(send: server.send).start(.empty).result)
        return told.text
      }
      .code("UploadTask.swift", "guard !photo.bytes.isEmpty"),
    ])

  static let cancelledInSilence = Subject(
    "cancelled-in-silence",
    asks: "An upload is cancelled before the queue starts it. When does the queue go on?",
    right: .allowed("told nothing"),
    implementations: [
      .before(
        "return from start()", .deadlock("nobody says that it is finished")
      ) { stage in
        let (server, told) = (Server(), Told())
        stage.aboutToBlock("waitUntilAllOperationsAreFinished()")
        return cancelled(
          CancelledInSilence.UploadOperation(.harbour, send: server.send, report: told.report),
          told)
      }
      .code("UploadCancelledInSilence.swift", "if isCancelled { return }")
      .alwaysWrong
      .found("scenario waits for the end of UploadOperation"),
      .before("finished from start()") { _ in
        let (server, told) = (Server(), Told())
        return cancelled(
          Concurrent.UploadOperation(.harbour, send: server.send, report: told.report), told)
      }
      .code("Concurrent.swift", "guard !isCancelled"),
      .after("task", .allowed("told once", "it ends with an error")) { _ in
        let (server, told) = (Server(.never), Told())
        let upload = Awaited.Upload(send: server.send).start(.harbour)
        upload.cancel()
        told.report(await upload.result)
        return told.text
      }
      .code("UploadTask.swift", "Task {"),
    ])
}

private func finished(_ upload: Operation, _ told: Told) -> String {
  OperationQueue().addOperations([upload], waitUntilFinished: true)
  return told.text
}

private func cancelled(_ upload: Operation, _ told: Told) -> String {
  let queue = OperationQueue()
  queue.isSuspended = true
  queue.addOperation(upload)
  upload.cancel()
  queue.isSuspended = false
  queue.waitUntilAllOperationsAreFinished()
  return told.text
}
