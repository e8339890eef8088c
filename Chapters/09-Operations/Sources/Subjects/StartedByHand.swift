import Foundation
import Workbook

extension Subject {
  static let startedByHand = Subject(
    "started-by-hand",
    asks: "The owner starts an upload and then cancels it. What becomes of the upload?",
    right: .allowed("it is cancelled"),
    implementations: [
      .before(
        "main() begins the request",
        .surprising("it goes on", "it was finished when start() returned")
      ) { _ in
        let server = Server(.never)
        return cancelled(Returning.UploadOperation(.harbour, send: server.send) { _ in })
      }
      .code("UploadReturning.swift", "request = send(photo)")
      .alwaysWrong,
      .before(
        "main() waits for a semaphore",
        .surprising("it goes on", "start() returned after the answer")
      ) { _ in
        let server = Server()
        return cancelled(Waiting.UploadOperation(.harbour, send: server.send) { _ in })
      }
      .code("UploadSemaphore.swift", "answered.signal()")
      .alwaysWrong,
      .before("concurrent operation") { _ in
        let server = Server(.never)
        return cancelled(Concurrent.UploadOperation(.harbour, send: server.send) { _ in })
      }
      .code("UploadOperation.swift", "override func cancel()"),
      .after("task") { _ in
        let server = Server(.never)
        let upload = Awaited.Upload(send: server.send).start(.harbour)
        upload.cancel()
        let answer = await upload.result
        if case .failure(is CancellationError) = answer { return "it is cancelled" }
        return "it goes on"
      }
      .code("UploadTask.swift", "Task {"),
    ])

  static let superStarted = Subject(
    "super-started",
    asks: "A concurrent upload calls super.start() first. How often is the photo sent?",
    right: .allowed("1 request"),
    implementations: [
      .before(
        "super.start()", .surprising("2 requests", "Operation's own start() runs main()")
      ) { _ in
        let server = Server(.never)
        return started(CallingSuper.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("UploadCallingSuper.swift", "super.start()")
      .alwaysWrong,
      .before("start() of its own") { _ in
        let server = Server(.never)
        return started(Concurrent.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("Concurrent.swift", "override final func start()"),
      .after("task") { _ in
        let server = Server()
        _ = await Awaited.Upload(send: server.send).start(.harbour).result
        return requests(to: server)
      }
      .code("UploadTask.swift", "Task {"),
    ])
}

private func cancelled(_ upload: Operation) -> String {
  upload.start()
  upload.cancel()
  upload.waitUntilFinished()
  return upload.isCancelled ? "it is cancelled" : "it goes on"
}

private func started(_ upload: Operation, _ server: Server) -> String {
  upload.start()
  defer { upload.cancel() }
  return requests(to: server)
}

private func requests(to server: Server) -> String {
  "\(server.requestCount) request\(server.requestCount == 1 ? "" : "s")"
}
