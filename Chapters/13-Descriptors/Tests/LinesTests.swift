import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Descriptors

@Suite(.timeLimit(.minutes(30)), whereHangUpsAreSafe) struct LinesTests {
  /// All ways to cut something into pieces.
  private func cuts(_ text: String) -> [[[UInt8]]] {
    let bytes = Array(text.utf8)
    return (0..<1 << (bytes.count - 1)).map { mask in
      var pieces = [[bytes[0]]]
      for index in 1..<bytes.count {
        if mask >> (index - 1) & 1 == 1 { pieces.append([]) }
        pieces[pieces.count - 1].append(bytes[index])
      }
      return pieces
    }
  }

  private func split(
    _ pieces: [[UInt8]], limit: Int
  ) throws(LineSplitter.LineTooLong) -> [String] {
    var splitter = LineSplitter(limit: limit)
    var lines: [String] = []
    for piece in pieces {
      splitter.append(piece)
      while let line = try splitter.next() { lines.append(line) }
    }
    if let last = splitter.finish() { lines.append(last) }
    return lines
  }

  @Test(arguments: [
    ("a\nbc\n\nd", ["a", "bc", "", "d"]), ("\n\n", ["", ""]), ("é\nλx\n", ["é", "λx"]),
    ("abcd\n", ["abcd"]), ("abcd", ["abcd"]),
  ])
  func `cuts anywhere make no difference`(_ text: String, _ lines: [String]) throws {
    for pieces in cuts(text) { #expect(try split(pieces, limit: 4) == lines) }
  }

  @Test(arguments: ["abcde\n", "a\nbcdef", "abcdefgh"])
  func `a line that is too long is an error wherever it is cut`(_ text: String) {
    for pieces in cuts(text) {
      #expect(throws: LineSplitter.LineTooLong(limit: 4)) { try split(pieces, limit: 4) }
    }
  }

  struct Form: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let read: @Sendable (_ descriptor: Int32, _ limit: Int) async throws -> [String]

    static let all = [
      Form(testDescription: "before") { descriptor, limit in
        let (lines, ends) = (Deliveries<String>(), Deliveries<(any Error)?>())
        let reading = try Sourced.Lines(
          taking: descriptor, limit: limit, queue: DispatchQueue(label: "lines"),
          whenLine: { lines.append($0) }, whenOver: { ends.append($0) })
        if let error = await ends.wait(count: 1)[0] { throw error }
        return withExtendedLifetime(reading) { lines.all }
      },
      Form(testDescription: "after") { descriptor, limit in
        let connection = try Async.Connection(taking: descriptor, for: .reading)
        var lines: [String] = []
        for try await line in Async.Lines(of: connection, limit: limit) { lines.append(line) }
        return lines
      },
    ]
  }

  @Test(arguments: Form.all)
  func `lines come through a socket, the last one without its end`(_ form: Form) async throws {
    let (near, far) = socketPair()
    let sent = (0..<5_000).map { "line \($0)" + String(repeating: ".", count: $0 % 97) }
    Thread {
      sendAll(Array(sent.joined(separator: "\n").utf8), to: far)
      close(far)
    }.start()
    #expect(try await form.read(near, 200) == sent)
  }

  @Test(arguments: Form.all)
  func `a client that sends no end of a line is cut off`(_ form: Form) async throws {
    let (near, far) = socketPair()
    Thread {
      while sendAll([UInt8](repeating: 7, count: 10_000), to: far) {}
      close(far)
    }.start()
    await #expect(throws: LineSplitter.LineTooLong(limit: 1_000)) {
      try await form.read(near, 1_000)
    }
  }

  @Test func `a reader that was cancelled in the middle of a line loses nothing`() async throws {
    let (near, far) = socketPair()
    let connection = try Async.Connection(taking: near, for: .reading)
    let lines = Async.Lines(of: connection)
    sendAll(Array("a\nb".utf8), to: far)
    let told = Deliveries<String>()
    let first = Task { for try await line in lines { told.append(line) } }
    await told.wait(count: 1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    sendAll(Array("c\n".utf8), to: far)
    close(far)
    for try await line in lines { told.append(line) }
    #expect(told.all == ["a", "bc"])
  }
}
