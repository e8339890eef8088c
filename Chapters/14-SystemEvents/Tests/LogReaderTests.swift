import Foundation
import Testing

@testable import SystemEvents

@Suite(.timeLimit(.minutes(30)))
struct LogReaderTests {
  @Test func `wherever the bytes are cut, the lines are the same`() {
    let text = "one\n\nzwei µ\n日志\n👩‍👧\r\nrest"
    let bytes = Array(text.utf8)
    let lines: [LogEvent] = ["one", "", "zwei µ", "日志", "👩‍👧\r"].map { .line($0) }
    for first in 0...bytes.count {
      for second in first...bytes.count {
        var reader = LineReader(limit: 100)
        var events = reader.append(Array(bytes[..<first]))
        events += reader.append(Array(bytes[first..<second]))
        events += reader.append(Array(bytes[second...]))
        #expect(events == lines)
        #expect(reader.finish() == .unfinished("rest"))
        #expect(reader.finish() == nil)
      }
    }
  }

  @Test func `wherever the bytes are cut, a limit is kept between characters`() {
    for text in ["abcdefghij", "ééééé", "日志日志", "👩👧👩👧", "a日é👩xyz"] {
      for limit in 1...text.utf8.count + 1 {
        let bytes = Array("\(text)\nb\n".utf8)
        var expected = ""
        for scalar in text.unicodeScalars {
          guard expected.utf8.count + String(scalar).utf8.count <= limit else { break }
          expected.unicodeScalars.append(scalar)
        }
        let first = expected == text ? LogEvent.line(text) : .longLine(expected)
        for cut in 0...bytes.count {
          var reader = LineReader(limit: limit)
          let events = reader.append(Array(bytes[..<cut])) + reader.append(Array(bytes[cut...]))
          #expect(events == [first, .line("b")], "\(text), \(limit), \(cut)")
          #expect(reader.finish() == nil)
        }
      }
    }
  }

  @Test func `bytes that are no text are replaced`() {
    var reader = LineReader(limit: 100)
    #expect(reader.append([0x61, 0xFF, 0x0A]) == [.line("a\u{FFFD}")])
    var short = LineReader(limit: 4)
    #expect(short.append([0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x0A]).count == 1)
  }

  @Test func `after a long line nothing is unfinished`() {
    var reader = LineReader(limit: 2)
    #expect(reader.append(Array("abc".utf8)) == [.longLine("ab")])
    #expect(reader.finish() == nil)
    #expect(reader.append(Array("a\n".utf8)) == [.line("a")])
  }

  @Test func `a reader reads what there is, and then nothing`() throws {
    let folder = try TemporaryFolder()
    var reader = try LogReader(path: folder.at("log"), lineLimit: 100)
    #expect(try reader.all() == [])
    #expect(reader.watched.map(\.path) == [folder.path])
    folder.file("log", "one\n")
    #expect(try reader.all() == [.line("one")])
    #expect(reader.watched.map(\.path) == [folder.path, folder.at("log")])
    folder.append("two\n", to: "log")
    #expect(try reader.all() == [.line("two")])
  }

  @Test func `it stays with the old file until the new one has bytes`() throws {
    let folder = try TemporaryFolder()
    var reader = try LogReader(path: folder.file("log", "one\n"), lineLimit: 100)
    _ = try reader.all()
    let old = folder.move("log", to: "log.1")
    folder.file("log")
    #expect(try reader.all() == [.rotated(to: old)])
    #expect(reader.watched.count == 3)
    folder.append("two\nthr", to: "log.1")
    #expect(try reader.all() == [.line("two")])
    // Between the looks: the old file's last lines, then the new one's, and that is rotated, too.
    folder.append("ee\nfour", to: "log.1")
    folder.append("five\n", to: "log")
    folder.move("log", to: "log.2")
    folder.file("log", "six\n")
    #expect(
      try reader.all() == [
        .line("three"), .unfinished("four"), .line("five"), .rotated(to: folder.at("log.2")),
        .line("six"),
      ])
    #expect(reader.watched.count == 2)
  }

  @Test func `a relative path is read as well`() throws {
    let reader = try LogReader(path: "log-\(UUID().uuidString)", lineLimit: 100)
    #expect(reader.watched.map(\.path) == [FileManager.default.currentDirectoryPath])
  }
}

extension LogReader {
  /// All that there is for now.
  fileprivate mutating func all() throws -> [LogEvent] {
    var all: [LogEvent] = []
    while true {
      let events = try next()
      if events.isEmpty { return all }
      all += events
    }
  }
}
