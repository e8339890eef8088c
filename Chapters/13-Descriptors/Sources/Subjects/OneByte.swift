import Foundation
import Synchronization
import Workbook

extension Subject {
  static let oneByte = Subject(
    "one-byte",
    asks:
      "A byte comes through a pipe that another reads, too. With which length is a reader called?",
    right: .allowed("1"), .allowed("none"), .forbidden("-1"),
    implementations: [
      .before(
        "the result of read",
        .surprising("-1", "the other one was faster, and read failed").onlyExplored
      ) { (_: Stage) in
        let (pipe, lengths, isOver) = (pipeEnds(), Lengths(), DispatchSemaphore(value: 0))
        let reader = AsPublished.FileReader(descriptor: dup(pipe.reading)) { _, count in
          lengths.add(count)
          if count == 0 { isOver.signal() }
          return count == 0
        }
        pipe.meet()
        isOver.wait()
        return withExtendedLifetime(reader) { lengths.told }
      }
      .code("FileReaderAsPublished.swift", "let count = read")
      .notPlayed("which of them is faster is up to Dispatch"),
      .before("its result, looked at") { (_: Stage) in
        let (pipe, lengths, isOver) = (pipeEnds(), Lengths(), DispatchSemaphore(value: 0))
        let reader = try Sourced.Connection(
          taking: dup(pipe.reading), for: .reading, queue: DispatchQueue(label: "reader"),
          whenRead: { lengths.add($1.count) }, whenOver: { _ in isOver.signal() })
        pipe.meet()
        isOver.wait()
        return withExtendedLifetime(reader) { lengths.told }
      }
      .code("OwnedDescriptor.swift", "if code == EAGAIN"),
      .after("a connection") { _ in
        let (pipe, lengths, isOver) = (pipeEnds(), Lengths(), Gate())
        let connection = try Async.Connection(taking: dup(pipe.reading), for: .reading) {
          isOver.open()
        }
        let reader = Task {
          for try await bytes in connection { lengths.add(bytes.count) }
          connection.close()
        }
        pipe.meet()
        try await reader.value
        await isOver.wait()
        return lengths.told
      }
      .code("ReadinessAsync.swift", "if let answer { return"),
    ])
}

extension PipeEnds {
  /// Lets a byte come, which another reader takes if it can, and the end.
  fileprivate func meet() {
    send("x", into: writing)
    _ = try? nextChunk(of: reading)
    _ = close(reading)
    _ = close(writing)
  }
}

/// How many bytes a reader was called with, the end aside.
private final class Lengths: Sendable {
  private let lengths = Mutex<[Int]>([])

  func add(_ length: Int) { if length != 0 { lengths.withLock { $0.append(length) } } }

  var told: String {
    lengths.withLock { $0.contains(-1) ? "-1" : $0.first.map { "\($0)" } ?? "none" }
  }
}
