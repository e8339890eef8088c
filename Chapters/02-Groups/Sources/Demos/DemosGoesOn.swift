import Foundation
import Workbook

extension Demo {
  static let goesOnRunning = Demo(
    "goes-on-running",
    asks: "The album is over: late, or for an error. What becomes of its two other downloads?",
    sides: [
      .before(
        "wait(timeout:), 50 ms",
        .surprising("0 photos, 2 answered", "the limit is on the wait only"),
        .forbidden("0 photos, 2 dropped")
      ) { transcript in
        try await held(transcript) { client in
          let photos = await result {
            Grouped.Slideshow(fetch: client.fetch)
              .load(others, within: .milliseconds(50), then: $0)
          }
          return photos.photos
        } then: { server, gate in
          gate.open()
          await server.waitUntilAll(others, HTTPServer.Event.answered)
        }
      }
      .code("SlideshowGroup.swift", "group.wait(timeout:"),
      .after(
        "task group with a deadline", .allowed("0 photos, 2 dropped", "the deadline cancels"),
        .forbidden("0 photos, 2 answered")
      ) { transcript in
        let clock = VirtualClock()
        return try await held(transcript) { client in
          await TaskGrouped.Slideshow(on: clock, fetch: client.photo(named:))
            .load(others, within: .seconds(1)).photos
        } meanwhile: { _ in
          await clock.waitForSleepers(1)
          clock.advance(by: .seconds(1))
        } then: { server, _ in
          await server.waitUntilAll(others, HTTPServer.Event.dropped)
        }
      }
      .code("SlideshowTaskGroup.swift", "return .timeIsOver"),
      .before(
        "enter and leave, an error", .surprising("an error, 2 answered", "a group waits for all"),
        .forbidden("an error, 2 dropped")
      ) { transcript in
        try await held(transcript) { client in
          let photos = await result {
            Grouped.StrictAlbum(fetch: client.fetch)
              .load(["missing"] + others, on: .global(), then: $0)
          }
          do { return try photos.get().photos } catch { return "an error" }
        } meanwhile: { gate in
          gate.open()
        } then: { server, _ in
          await server.waitUntilAll(others, HTTPServer.Event.answered)
        }
      }
      .code("StrictAlbumGroup.swift", "group.notify("),
      .after(
        "throwing task group, an error",
        .allowed("an error, 2 dropped", "the first error cancels the others"),
        .forbidden("an error, 2 answered")
      ) { transcript in
        try await held(transcript) { client in
          let album = TaskGrouped.StrictAlbum(fetch: client.photo(named:))
          do { return try await album.load(["missing"] + others).photos } catch {
            return "an error"
          }
        } then: { server, _ in
          await server.waitUntilAll(others, HTTPServer.Event.dropped)
        }
      }
      .code("StrictAlbumTaskGroup.swift", "for try await"),
    ])
}

private let others = ["harbour", "garden"]

extension [Photo?] {
  fileprivate var photos: String { "\(count { $0 != nil }) photos" }
}

extension [Photo] {
  fileprivate var photos: String { "\(count) photos" }
}

extension HTTPServer {
  fileprivate func waitUntilAll(_ names: [String], _ event: (String) -> Event) async {
    for name in names { await waitUntil(event(name)) }
  }
}

/// Downloads what the server holds back; "missing" fails when the others have begun.
///
/// - Parameters:
///   - load: Returns what came of it.
///   - meanwhile: What happens when all downloads have begun; it is given the gate that holds the answers.
///   - end: Waits for what becomes of them.
/// - Returns: What came of it, and how many downloads were answered or dropped.
private func held(
  _ transcript: Transcript, _ load: @escaping @Sendable (PhotoClient) async -> String,
  meanwhile: @Sendable (Gate) async -> Void = { _ in },
  then end: @Sendable (HTTPServer, Gate) async -> Void
) async throws -> String {
  let (gate, allBegun) = (Gate(), Gate())
  return try await PhotoServer.run { name in
    if name == "missing" {
      await allBegun.wait()
      throw NotThere()
    }
    await gate.wait()
    return Data(Photo.grain.pixmap)
  } during: { server in
    let loading = Task { await load(PhotoClient(server: server.url(of: ""), session: session)) }
    await server.waitUntilAll(others, HTTPServer.Event.begun)
    allBegun.open()
    await meanwhile(gate)
    let outcome = await loading.value
    transcript.say("the caller has \(outcome)")
    await end(server, gate)
    gate.open()
    let (answered, dropped) = (
      others.count { server.log.contains(.answered($0)) },
      others.count { server.log.contains(.dropped($0)) }
    )
    return outcome + (dropped == 0 ? ", \(answered) answered" : ", \(dropped) dropped")
  }
}
