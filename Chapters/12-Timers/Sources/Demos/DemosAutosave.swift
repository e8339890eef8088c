import Foundation
import Workbook

extension Demo {
  static let autosave = Demo(
    "autosave",
    asks: "A document is edited, paused, edited and closed. What is in its file, and when?",
    sides: [
      .before("timer source", .allowed(saved), .forbidden("an old text")) { transcript in
        try await withFile { file in
          let (document, writes) = (Document(), Writes(file, transcript))
          let saver = try Sourced.Autosaver(
            document, every: .interval, leeway: .milliseconds(1), write: writes.write
          ) { transcript.say("\($0)") }
          document.edit("one line")
          await writes.wait(for: "one line")
          saver.pause()
          document.edit("two lines")
          try await passThreeTicks()
          let paused = file.text
          saver.resume()
          await writes.wait(for: "two lines")
          document.edit("three lines")
          try saver.close()
          return "\(paused), \(file.text)"
        }
      }
      .code("AutosaverSource.swift", "ticker.stop()"),
      .after("ticks of a clock", .allowed(saved), .forbidden("an old text")) { transcript in
        try await withFile { file in
          let (document, writes) = (Document(), Writes(file, transcript))
          let saver = Clocked.Autosaver(document, write: writes.write) {
            transcript.say("\($0)")
          }
          let loop = Task { try await saver.run(every: .interval) }
          document.edit("one line")
          await writes.wait(for: "one line")
          await saver.pause()
          document.edit("two lines")
          try await passThreeTicks()
          let paused = file.text
          await saver.resume()
          await writes.wait(for: "two lines")
          document.edit("three lines")
          loop.cancel()
          try await loop.value
          return "\(paused), \(file.text)"
        }
      }
      .code("AutosaverClock.swift", "for await _ in try Ticker"),
    ])
}

extension Duration {
  fileprivate static let interval = Duration.milliseconds(10)
}

/// So that a pause is longer than what would be saved in it takes.
private func passThreeTicks() async throws {
  for await tick in try Clocked.Ticker(every: .interval) where tick.number >= 3 { break }
}

private let saved = "one line, three lines"

/// Writes to a file, and says what was written.
private final class Writes: Sendable {
  private let file: DocumentFile
  private let transcript: Transcript
  private let gates = ["one line": Gate(), "two lines": Gate(), "three lines": Gate()]

  init(_ file: DocumentFile, _ transcript: Transcript) {
    self.file = file
    self.transcript = transcript
  }

  @Sendable func write(_ version: Document.Version) throws {
    try file.write(version)
    transcript.say("saved: \(version.text)")
    gates[version.text]?.open()
  }

  func wait(for text: String) async { await gates[text]?.wait() }
}

extension DocumentFile {
  fileprivate var text: String { (try? String(contentsOf: url, encoding: .utf8)) ?? "nothing" }
}

private func withFile(_ body: (DocumentFile) async throws -> String) async throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try await body(DocumentFile(url: folder.appending(path: "document.txt")))
}
