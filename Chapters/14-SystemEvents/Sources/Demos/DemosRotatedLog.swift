import Foundation
import Workbook

extension Demo {
  static let rotatedLog = Demo(
    "rotated-log",
    asks: "A log is renamed, and goes on in a new file. What is read, in which order?",
    sides: [
      .before("file sources", .allowed(read), .forbidden("one, two")) { _ in
        try await withLog { log in
          let (events, sender) = AsyncStream.makeStream(of: LogEvent.self)
          let follower = try Sourced.LogFollower(
            path: log.path, queue: DispatchQueue(label: "log"), whenEvent: { sender.yield($0) },
            whenOver: { _ in sender.finish() })
          defer { follower.stop() }
          return try await rotate(log, whileReading: events)
        }
      }
      .code("LogFollowerSource.swift", "whenEvent(event)"),
      .after("async sequence", .allowed(read), .forbidden("one, two")) { _ in
        try await withLog { log in
          try await rotate(log, whileReading: Async.FollowedLog(path: log.path))
        }
      }
      .code("LogFollowerAsync.swift", "if let event = try nextEvent"),
    ])
}

private let read = "one, two, rotated to app.log.1, three"

/// Renames the log when two lines have been read, and goes on in a new one until a third has been.
private func rotate<Events: AsyncSequence>(
  _ log: URL, whileReading events: Events
) async throws -> String where Events.Element == LogEvent {
  var told: [String] = []
  for try await event in events {
    switch event {
    case .line(let line): told.append(line)
    case .rotated(let path?): told.append("rotated to \(URL(filePath: path).lastPathComponent)")
    default: told.append("\(event)")
    }
    if told.last == "two" {
      try FileManager.default.moveItem(at: log, to: log.appendingPathExtension("1"))
      try Data("three\n".utf8).write(to: log)
    }
    if told.last == "three" { break }
  }
  return told.joined(separator: ", ")
}

private func withLog(_ body: (URL) async throws -> String) async throws -> String {
  let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let log = folder.appending(path: "app.log")
  try Data("one\ntwo\n".utf8).write(to: log)
  return try await body(log)
}
