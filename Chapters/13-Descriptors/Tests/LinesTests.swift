import ChapterTesting
import Foundation
import Testing

@testable import Descriptors

@Suite(.timeLimit(.minutes(30)), whereHangUpsAreSafe) struct LinesTests {
  /// Takes lines behind those bytes whose bits are set: what comes between two of them is one piece.
  private func split(_ bytes: [UInt8], cuts: Int) throws(LineSplitter.LineTooLong) -> [String] {
    var splitter = LineSplitter(limit: 4)
    var lines: [String] = []
    for (index, byte) in bytes.enumerated() {
      splitter.append([byte])
      while cuts >> index & 1 == 1, let line = try splitter.next() { lines.append(line) }
    }
    if let last = splitter.finish() { lines.append(last) }
    return lines
  }

  @Test(
    arguments: [
      ("a\nbc\n\nd", ["a", "bc", "", "d"]), ("\n\n", ["", ""]), ("é\nλx\n", ["é", "λx"]),
      ("abcd\n", ["abcd"]), ("abcd", ["abcd"]),
      // A line that is too long is an error.
      ("abcde\n", nil), ("a\nbcdef", nil), ("abcdefgh", nil),
    ] as [(String, [String]?)])
  func `cuts anywhere make no difference`(_ text: String, _ lines: [String]?) {
    let bytes = Array(text.utf8)
    // The last byte's bit is always set.
    for cuts in 1 << (bytes.count - 1)..<1 << bytes.count {
      #expect((try? split(bytes, cuts: cuts)) == lines)
    }
  }

  private func read(_ descriptor: Int32, limit: Int, _ form: Form) async throws -> [String] {
    let lines = Deliveries<String>()
    switch form {
    case .before:
      let ends = Deliveries<(any Error)?>()
      let reading = try Sourced.lines(
        taking: descriptor, limit: limit, queue: DispatchQueue(label: "lines"),
        whenLine: { lines.append($0) }, whenOver: { ends.append($0) })
      if let error = await ends.wait(count: 1)[0] { throw error }
      withExtendedLifetime(reading) {}
    case .after:
      let connection = try Async.Connection(taking: descriptor, for: .reading)
      for try await line in Async.Lines(of: connection, limit: limit) { lines.append(line) }
    }
    return lines.all
  }

  @Test(arguments: Form.allCases)
  func `lines come through a pipe, the last one without its end`(_ form: Form) async throws {
    let sent = (0..<5_000).map { "line \($0)" + String(repeating: ".", count: $0 % 97) }
    let pipe = pipeEnds()
    let writer = try Async.Connection(taking: pipe.writing, for: .writing)
    // It has nothing to read, and more to write than a pipe holds.
    #expect(try await writer.read() == [])
    async let received = read(pipe.reading, limit: 200, form)
    try await writer.write(Array(sent.joined(separator: "\n").utf8))
    writer.close()
    #expect(try await received == sent)
  }

  @Test(arguments: Form.allCases)
  func `a client that sends no end of a line is cut off`(_ form: Form) async throws {
    let (near, far) = socketPair()
    Thread {
      while sendAll([UInt8](repeating: 7, count: 10_000), to: far) {}
      close(far)
    }.start()
    await #expect(throws: LineSplitter.LineTooLong(limit: 1_000)) {
      try await read(near, limit: 1_000, form)
    }
  }

  @Test func `a reader that was cancelled in the middle of a line loses nothing`() async throws {
    let (near, far) = socketPair()
    let lines = Async.Lines(of: try Async.Connection(taking: near, for: .reading))
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
