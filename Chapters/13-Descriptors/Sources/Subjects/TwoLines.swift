import Foundation
import Synchronization
import Workbook

extension Subject {
  static let twoLines = Subject(
    "two-lines",
    asks: "Two lines come through a pipe, in pieces that are cut anywhere. What is read?",
    right: .allowed("ab, cd"), .forbidden("something else"),
    implementations: [
      .before(
        "as many bytes as the source says",
        .surprising("something else", "a read gave fewer bytes than the source had said")
          .onlyExplored
      ) { (stage: Stage) in
        let (pipe, lines, isOver) = (pipeEnds(), TakenLines(), DispatchSemaphore(value: 0))
        send("ab\ncd\n", into: pipe.writing)
        let splitter = Mutex(LineSplitter(limit: 80))
        _ = AsPublished.ReaderByEstimate(
          descriptor: pipe.reading, queue: DispatchQueue(label: "lines"),
          whenRead: { bytes in
            splitter.withLock { splitter in
              splitter.append(bytes)
              while let line = try? splitter.next() { lines.add(line) }
            }
          }, whenOver: { isOver.signal() })
        _ = close(pipe.writing)
        isOver.wait()
        return lines.told
      }
      .code("FileReaderByEstimate.swift", "var bytes")
      .notPlayed("whether a read is short is up to the kernel"),
      .before("as many as were read") { (_: Stage) in
        let (pipe, lines, isOver) = (pipeEnds(), TakenLines(), DispatchSemaphore(value: 0))
        let reading = try Sourced.Lines(
          taking: pipe.reading, queue: DispatchQueue(label: "lines"), whenLine: lines.add
        ) { _ in isOver.signal() }
        send("ab\ncd\n", into: pipe.writing)
        _ = close(pipe.writing)
        isOver.wait()
        return withExtendedLifetime(reading) { lines.told }
      }
      .code("LinesSource.swift", "while let line"),
      .after("lines of a connection") { _ in
        let (pipe, lines, isOver) = (pipeEnds(), TakenLines(), Gate())
        let connection = try Async.Connection(taking: pipe.reading, for: .reading) { isOver.open() }
        send("ab\nc", into: pipe.writing)
        let sender = Task { send("d\n", into: pipe.writing) }
        var reader = Async.Lines(of: connection).makeAsyncIterator()
        for _ in 1...2 { if let line = try await reader.next() { lines.add(line) } }
        await sender.value
        connection.close()
        await isOver.wait()
        _ = close(pipe.writing)
        return lines.told
      }
      .code("LinesAsync.swift", "if let line"),
    ])
}

private final class TakenLines: Sendable {
  private let lines = Mutex<[String]>([])

  @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }

  var told: String {
    let lines = lines.withLock { $0 }
    return lines == ["ab", "cd"] ? "ab, cd" : "something else"
  }
}
