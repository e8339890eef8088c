import ChapterTesting
import Dispatch
import Foundation
import Testing
import Workbook

@testable import Caches

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// From disk and from a server, in both forms.
@Suite(.timeLimit(.minutes(30))) struct SourceTests {
  static let forms = ["callback", "async"]

  @Sendable private static func load(
    _ url: URL, _ form: String, in folder: URL
  ) async -> Result<Picture, any Error> {
    let source = PictureSource.patient(folder)
    let loaded: Result<Picture, any Error>
    if form == "callback" {
      loaded = await result { _ = source.load(url, then: $0) }
    } else {
      do { loaded = .success(try await source.load(url)) } catch { loaded = .failure(error) }
    }
    // What it keeps on disk is there when its folder has read something after that.
    _ = await source.folder.data(for: url)
    return loaded
  }

  static let picture = Picture(width: 2, height: 1, pixels: [1, 10, 32, 0, 255, 7])

  @Test(arguments: forms)
  func `after a restart a picture comes from disk`(_ form: String) async throws {
    try await withFolder { folder in
      for round in 1...2 {
        try await PhotoServer.run { _ in
          Self.picture.pixmap
        } during: { server in
          let loaded = await Self.load(server.url(of: "a"), form, in: folder)
          #expect((try? loaded.get()) == Self.picture)
          #expect(server.log.isEmpty == (round == 2))
        }
      }
    }
  }

  @Test(arguments: forms, [Data(), picture.pixmap.dropLast(), Data("P6 nothing".utf8)])
  func `a file that is not whole is downloaded again`(_ form: String, _ bytes: Data) async throws {
    try await withFolder { folder in
      try await PhotoServer.run { _ in
        Self.picture.pixmap
      } during: { server in
        let url = server.url(of: "a")
        _ = await Self.load(url, form, in: folder)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        let file = folder.appending(path: try #require(files.first))
        #expect(files.count == 1)
        try bytes.write(to: file)
        let loaded = await Self.load(url, form, in: folder)
        #expect(try loaded.get() == Self.picture)
        #expect(try Data(contentsOf: file) == Self.picture.pixmap)
        #expect(server.log.count { $0 == .begun("a") } == 2)
      }
    }
  }

  @Test(arguments: forms)
  func `what is no picture is told, and not kept`(_ form: String) async throws {
    try await withFolder { folder in
      try await HTTPServer.run { request in
        switch request.name {
        case "cut": .cut
        case "short": .status(200, body: Self.picture.pixmap.dropLast())
        case "page": .status(200, body: Data("<html>".utf8))
        default: .status(404)
        }
      } during: { server in
        for (name, words) in [
          ("short", "NoPicture()"), ("page", "NoPicture()"), ("gone", "StatusError(status: 404)"),
        ] {
          let loaded = await Self.load(server.url(of: name), form, in: folder)
          #expect(told(loaded) == words)
        }
        let cut = await Self.load(server.url(of: "cut"), form, in: folder)
        #expect(throws: URLError.self) { try cut.get() }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.isEmpty)
      }
    }
  }

  @Test(arguments: Form.all)
  func `a download that nobody waits for is dropped, as the server sees`(_ form: Form) async throws
  {
    let isOver = Gate()
    try await withFolder { folder in
      try await PhotoServer.run { _ in
        await isOver.wait()
        return Self.picture.pixmap
      } during: { server in
        let ask = form.loader(.patient(folder))
        let asked = await ask(server.url(of: "a"), .visible)
        await server.waitUntil(.begun("a"))
        asked.cancel()
        #expect(await asked.told == "cancelled")
        await server.waitUntil(.dropped("a"))
        isOver.open()
      }
    }
  }

  @Test(arguments: forms)
  func `while a picture comes and is decoded, main may be held`(_ form: String) async {
    // In a process of its own: here, others need main.
    await #expect(processExitsWith: .success) { [form = form as String] in
      try await withFolder { folder in
        try await PhotoServer.run { _ in
          Self.picture.pixmap
        } during: { server in
          let (url, isThere) = (server.url(of: "a"), DispatchSemaphore(value: 0))
          Task {
            _ = await Self.load(url, form, in: folder)
            isThere.signal()
          }
          // Were main needed, this would not end before the guard against hanging.
          let ended = await MainActor.run { isThere.wait(timeout: .now() + 600) }
          #expect(ended == .success)
        }
      }
    }
  }
}
