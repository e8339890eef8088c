import Foundation
import Synchronization
import Workbook

extension Subject {
  static let nextOwner = Subject(
    "next-owner",
    asks:
      "A connection is cancelled as its bytes come, and another is opened. Whose bytes does it read?",
    right: .allowed("its own"), .allowed("none"), .forbidden("the next one's"),
    implementations: [
      .before(
        "closed at once",
        .surprising("the next one's", "the number has a new owner before the handler has read")
          .onlyExplored
      ) { (_: Stage) in
        let (pipes, queue) = (Pipes(), DispatchQueue(label: "connection"))
        let connection = ClosedEarly.Connection(
          taking: pipes.old.reading, queue: queue, whenRead: pipes.read)
        pipes.meet(cancel: connection.cancel)
        queue.sync {}
        return pipes.end()
      }
      .code("ConnectionClosedEarly.swift", "close(descriptor)")
      .notPlayed("when the handler reads is up to Dispatch"),
      .before("closed in the cancel handler") { (_: Stage) in
        let (pipes, isOver) = (Pipes(), DispatchSemaphore(value: 0))
        let connection = try Sourced.Connection(
          taking: pipes.old.reading, for: .reading, queue: DispatchQueue(label: "connection"),
          whenRead: { pipes.read($1) }
        ) { _ in isOver.signal() }
        pipes.meet(cancel: connection.cancel)
        isOver.wait()
        return pipes.end()
      }
      .code("ConnectionSource.swift", "sources.notify"),
      .after("closed by its connection") { _ in
        let (pipes, isOver) = (Pipes(), Gate())
        let connection = try Async.Connection(taking: pipes.old.reading, for: .reading) {
          isOver.open()
        }
        let reader = Task { for try await bytes in connection { pipes.read(bytes) } }
        pipes.meet(cancel: connection.close)
        await isOver.wait()
        _ = await reader.result
        return pipes.end()
      }
      .code("ConnectionAsync.swift", "owned.closeOnce()"),
    ])
}

/// A pipe whose bytes come as its reader is cancelled, and the next one, which may get its number.
private final class Pipes: Sendable {
  let old = pipeEnds()
  private let texts = Mutex<[String]>([])
  private let next = Mutex<PipeEnds?>(nil)

  @Sendable func read(_ bytes: [UInt8]) {
    texts.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
  }

  func meet(cancel: () -> Void) {
    send("o", into: old.writing)
    cancel()
    let next = pipeEnds()
    send("n", into: next.writing)
    self.next.withLock { $0 = next }
  }

  /// - Returns: Whose bytes were read.
  func end() -> String {
    let next = next.withLock { $0! }
    for end in [old.writing, next.reading, next.writing] { _ = close(end) }
    let texts = texts.withLock { $0 }
    return texts.contains("n")
      ? "the next one's" : texts.isEmpty ? "none" : "its own"
  }
}
