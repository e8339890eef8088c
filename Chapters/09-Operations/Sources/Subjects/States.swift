import Foundation
import Workbook

extension Subject {
  static let unguardedState = Subject(
    "unguarded-state",
    asks: "The owner looks at an upload while its answer comes in. What is read?",
    right: .allowed("whole"),
    implementations: [
      .before("plain variables", .race) { _ in
        let server = Server()
        return looked(at: Unguarded.UploadOperation(.harbour, send: server.send) { _ in })
      }
      .code("UploadUnguarded.swift", "override var isExecuting")
      .notPlayed("what a thread reads of it is up to the machine"),
      .before("state in a lock") { _ in
        let server = Server()
        return looked(at: Concurrent.UploadOperation(.harbour, send: server.send) { _ in })
      }
      .code("Concurrent.swift", "override final var isExecuting")
      .notPlayed("what it cures is not played"),
      .after("task", .allowed("whole", "a task has no state to look at")) { _ in
        let server = Server()
        _ = await Awaited.Upload(send: server.send).start(.harbour).result
        return "whole"
      }
      .code("UploadTask.swift", "Task {")
      .notPlayed("what it cures is not played"),
    ])

  static let finishedAndExecuting = Subject(
    "finished-and-executing",
    asks: "An upload's thread is quick. What does the operation say once it is finished?",
    right: .allowed("finished"),
    implementations: [
      .before(
        "executing once the thread is begun",
        .surprising("finished and executing", "it says that it executes after it has finished"),
        .allowed("finished")
      ) { _ in
        let server = Server()
        return ended(ExecutingLate.UploadOperation(.empty, send: server.send) { _ in })
      }
      .code("UploadExecutingLate.swift", "Thread.detachNewThread")
      .notPlayed("which thread comes first is up to the machine"),
      .before("executing before main()") { _ in
        let server = Server()
        return ended(Concurrent.UploadOperation(.empty, send: server.send) { _ in })
      }
      .code("Concurrent.swift", "willChangeValue(for: \\.isExecuting)")
      .notPlayed("what it cures is not played"),
    ])

  static let toldTwice = Subject(
    "told-twice",
    asks: "An upload is cancelled as its answer comes in. How often is its owner told?",
    right: .allowed("told once"),
    implementations: [
      .before(
        "enum behind a barrier queue",
        .surprising("told twice", "both have seen that it executes"), .allowed("told once")
      ) { _ in
        let (server, told) = (Server(), Told())
        return cancelled(
          BehindBarrier.UploadOperation(.harbour, send: server.send, report: told.report), told)
      }
      .code("UploadBarrier.swift", "guard state == .executing")
      .notPlayed("which of the two comes first is up to the machine"),
      .before("end claimed in a lock") { _ in
        let (server, told) = (Server(), Told())
        return cancelled(
          Concurrent.UploadOperation(.harbour, send: server.send, report: told.report), told)
      }
      .code("Concurrent.swift", "guard lifecycle.withLock({ $0.claimEnd() })")
      .notPlayed("what it cures is not played"),
      .after("task", .allowed("told once", "a function returns once")) { _ in
        let (server, told) = (Server(), Told())
        let upload = Awaited.Upload(send: server.send).start(.harbour)
        upload.cancel()
        told.report(await upload.result)
        return told.text
      }
      .code("UploadTask.swift", "return try await send(photo)")
      .notPlayed("what it cures is not played"),
    ])
}

private func looked(at upload: Operation) -> String {
  upload.start()
  _ = upload.isExecuting
  upload.waitUntilFinished()
  return "whole"
}

private func ended(_ upload: Operation) -> String {
  OperationQueue().addOperations([upload], waitUntilFinished: true)
  return upload.isExecuting ? "finished and executing" : "finished"
}

private func cancelled(_ upload: Operation, _ told: Told) -> String {
  upload.start()
  upload.cancel()
  upload.waitUntilFinished()
  return told.text
}
