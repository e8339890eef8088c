import Foundation
import Workbook

extension Subject {
  static let finishedEarly = Subject(
    "finished-early",
    asks: "An announcement depends on an upload. How many photos has the server by then?",
    right: .allowed("1 photo"),
    implementations: [
      .before(
        "main() begins the request",
        .surprising("0 photos", "the operation is finished when its main() returns"),
        .allowed("1 photo", "the server was quick").onlyExplored
      ) { stage in
        let server = Server(stage.isExplored ? .atOnce : .whenReleased)
        return announced(
          BlockOperation.init(block:),
          after: Returning.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("UploadReturning.swift", "request = send(photo)"),
      .before("main() waits for a semaphore") { _ in
        let server = Server()
        return announced(
          BlockOperation.init(block:),
          after: Waiting.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("UploadSemaphore.swift", "answered.signal()"),
      .before(
        "main() sleeps until it is answered", .allowed("1 photo"),
        .surprising("0 photos", "it is finished after 10 s, too")
      ) { _ in
        let server = Server()
        return announced(
          BlockOperation.init(block:),
          after: Sleeping.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("UploadSleeping.swift", "for _ in 1...10")
      .notPlayed("it would sleep for 10 s"),
      .before("concurrent operation") { _ in
        let server = Server()
        return announced(
          BlockOperation.init(block:),
          after: Concurrent.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("UploadOperation.swift", "let request = send(photo)"),
      .after("task") { _ in
        let server = Server()
        _ = try await Awaited.Upload(send: server.send).start(.harbour).value
        return photos(server.count)
      }
      .code("UploadTask.swift", "Task {"),
    ])

  static let ownReadiness = Subject(
    "own-readiness",
    asks: "An announcement depends on an upload, and overrides isReady. What has the server then?",
    right: .allowed("1 photo"),
    implementations: [
      .before(
        "isReady without super",
        .surprising("0 photos", "an operation that says it is ready begins"),
        .allowed("1 photo", "the server was quick").onlyExplored
      ) { stage in
        let server = Server(stage.isExplored ? .atOnce : .whenReleased)
        return announced(
          { AlwaysReady.AnnouncementOperation(over: Connection(isUp: true), announce: $0) },
          after: Concurrent.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("AnnouncementAlwaysReady.swift", "override var isReady"),
      .before("isReady with super") { _ in
        let server = Server()
        return announced(
          { Depending.AnnouncementOperation(over: Connection(isUp: true), announce: $0) },
          after: Concurrent.UploadOperation(.harbour, send: server.send) { _ in }, server)
      }
      .code("AnnouncementOperation.swift", "override var isReady"),
      .after("async functions") { _ in
        let server = Server()
        let upload = Awaited.Upload(send: server.send).start(.harbour)
        let counts = Counts()
        let announcement = Awaited.Announcement(
          connected: {}, announce: { counts.add(server.count) })
        try await announcement.announce(after: [upload])
        return photos(counts.sum)
      }
      .code("AnnouncementAsync.swift", "for upload in uploads"),
    ])
}
