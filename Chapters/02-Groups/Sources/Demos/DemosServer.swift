import Foundation
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Demo {
  static let download = Demo(
    "download",
    asks: "Three photos are downloaded over HTTP, and one is missing. When is the album done?",
    sides: [
      .before(
        "queue.async(group:)",
        .surprising("done after 0 of 3 answers", "the group counts blocks that begin downloads"),
        .forbidden(allAnswers)
      ) { transcript in
        try await gathered(transcript, answering: .whenDone) { client in
          await result {
            CountingStarts.Album(fetch: client.fetch).load(names, on: .global(), then: $0)
          }
        }
      }
      .code("AlbumCountingStarts.swift", "async(group: group)"),
      .before(
        "enter and leave, notify with a block", .allowed(allAnswers),
        .forbidden("done after 0 of 3 answers")
      ) { transcript in
        try await gathered(transcript) { client in
          await result { Grouped.Album(fetch: client.fetch).load(names, on: .global(), then: $0) }
        }
      }
      .code("AlbumGroup.swift", "fetch(name) { answer in"),
      .before(
        "enter and leave, notify with a work item", .allowed(allAnswers),
        .forbidden("done after 0 of 3 answers")
      ) { transcript in
        try await gathered(transcript) { client in
          await result {
            _ = Notified.Album(fetch: client.fetch).load(names, on: .global(), then: $0)
          }
        }
      }
      .code("AlbumWorkItem.swift", "let item = DispatchWorkItem"),
      .before(
        "members on two queues", .allowed(allAnswers), .forbidden("done after 0 of 3 answers")
      ) { transcript in
        try await gathered(transcript) { client in
          await result {
            OnTwoQueues.Album(fetch: client.fetch).load(names, on: .global(), then: $0)
          }
        }
      }
      .code("AlbumTwoQueues.swift", "developing.async(group: group)"),
      .before(
        "wait(timeout:) off main", .allowed(allAnswers), .forbidden("done after 0 of 3 answers"),
        .forbidden("timed out")
      ) { transcript in
        try await gathered(transcript) { client in
          try await result {
            Waiting.Album(fetch: client.fetch).load(names, within: .seconds(600), then: $0)
          }.get()
        }
      }
      .code("AlbumQueue.swift", "group.wait(timeout:"),
      .after(
        "task group", .allowed(allAnswers), .forbidden("done after 0 of 3 answers")
      ) { transcript in
        try await gathered(transcript) { client in
          await TaskGrouped.Album(fetch: client.photo(named:)).load(names)
        }
      }
      .code("AlbumTaskGroup.swift", "group.addTask {"),
    ])

  static let mirrors = Demo(
    "mirrors",
    asks: "Two mirrors are asked, and the near one answers. What becomes of the far one's answer?",
    sides: [
      .before(
        "flag under a lock",
        .surprising("told once, far answered", "it is downloaded to its end, for nothing"),
        .forbidden("told once, far dropped")
      ) { transcript in
        try await withMirrors(transcript) { client, told in
          Locked.Mirrors.load("photo", from: client.mirrors, on: .global()) { _ in told() }
        } then: { server, far in
          far.open()
          await server.waitUntil(.answered("photo-far"))
        }
      }
      .code("MirrorsLock.swift", "for fetch in mirrors"),
      .after(
        "task group", .allowed("told once, far dropped", "the group cancels its request"),
        .forbidden("told once, far answered")
      ) { transcript in
        try await withMirrors(transcript) { client, told in
          _ = try await TaskGrouped.Mirrors().load("photo", from: client.asyncMirrors)
          told()
        } then: { server, _ in
          await server.waitUntil(.dropped("photo-far"))
        }
      }
      .code("MirrorsTaskGroup.swift", "defer { group.cancelAll() }"),
    ])
}

// MARK: An album

private let names = ["harbour", "missing", "garden"]
private let allAnswers = "done after 3 of 3 answers: photo, error, photo"

struct NotThere: Error {}

/// A session for servers of this process.
let session: URLSession = {
  let configuration = URLSessionConfiguration.ephemeral
  configuration.timeoutIntervalForRequest = HTTPServer.patience
  return URLSession(configuration: configuration)
}()

/// When the server answers.
private enum Answering { case atOnce, whenDone }

/// Downloads the album; says how many answers the server had given when it was done.
private func gathered(
  _ transcript: Transcript, answering: Answering = .atOnce,
  _ load: @Sendable (PhotoClient) async throws -> [Answer]
) async throws -> String {
  let isDone = Gate()
  return try await PhotoServer.run { name in
    if answering == .whenDone { await isDone.wait() }
    if name == "missing" { throw NotThere() }
    return Data(Photo.grain.pixmap)
  } during: { server in
    let answers = try await load(PhotoClient(server: server.url(of: ""), session: session))
    let count = server.log.count { if case .answered = $0 { true } else { false } }
    transcript.say("the album is said to be done, and the server has given \(count) answers")
    isDone.open()
    for name in names { await server.waitUntil(.answered(name)) }
    let kinds = answers.map { answer in
      if case .success = answer { "photo" } else { "error" }
    }
    return "done after \(count) of 3 answers"
      + (kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))")
  }
}

// MARK: Mirrors

extension PhotoClient {
  fileprivate var mirrors: [Fetch] {
    ["near", "far"].map { mirror in { name, then in fetch("\(name)-\(mirror)", then: then) } }
  }

  fileprivate var asyncMirrors: [AsyncFetch] {
    ["near", "far"].map { mirror in { try await photo(named: "\($0)-\(mirror)") } }
  }
}

/// Asks both mirrors. The near one answers when both are asked, the far one when its gate is open.
private func withMirrors(
  _ transcript: Transcript,
  _ load:
    @escaping @Sendable (PhotoClient, _ told: @escaping @Sendable () -> Void) async throws ->
    Void,
  then end: @Sendable (HTTPServer, _ far: Gate) async -> Void
) async throws -> String {
  let (bothAsked, far, isTold) = (Gate(), Gate(), Gate())
  return try await PhotoServer.run { name in
    await (name == "photo-near" ? bothAsked : far).wait()
    return Data(Photo.grain.pixmap)
  } during: { server in
    let told = Transcript()
    let loading = Task {
      try await load(PhotoClient(server: server.url(of: ""), session: session)) {
        told.say("told")
        isTold.open()
      }
    }
    await server.waitUntil(.begun("photo-near"))
    await server.waitUntil(.begun("photo-far"))
    bothAsked.open()
    await isTold.wait()
    transcript.say("the caller has the photo of the near mirror")
    await end(server, far)
    far.open()
    try await loading.value
    let isDropped = server.log.contains(.dropped("photo-far"))
    return "told \(told.steps.count == 1 ? "once" : "\(told.steps.count) times"), "
      + "far \(isDropped ? "dropped" : "answered")"
  }
}
