import Foundation
import Synchronization
import Workbook

extension Subject {
  static let halfWritten = Subject(
    "half-written",
    asks: "Two bytes are sent where one has room. What does the other side get?",
    right: .allowed("both"), .forbidden("one"),
    implementations: [
      .before("until all is written") { (stage: Stage) in
        let (peer, isOver) = (Peer(stage), DispatchSemaphore(value: 0))
        let queue = DispatchQueue(label: "connection")
        let connection = try Sourced.Connection(
          taking: peer.other, queue: queue, whenRead: { _, _ in },
          whenOver: { _ in isOver.signal() })
        queue.async {
          connection.write([1, 2])
          connection.finish()
        }
        isOver.wait()
        return peer.end()
      }
      .code("ConnectionSource.swift", "private func flush"),
      .after("until all is written") { stage in
        let (peer, isOver) = (Peer(stage), Gate())
        let connection = try Async.Connection(taking: peer.other, for: .writing) { isOver.open() }
        try await connection.write([1, 2])
        connection.close()
        await isOver.wait()
        return peer.end()
      }
      .code("ConnectionAsync.swift", "while !rest.isEmpty"),
    ])
}

/// One that reads two bytes, on a thread of its own.
private final class Peer: Sendable {
  let other: Int32
  private let near: Int32
  private let isOver = DispatchSemaphore(value: 0)
  private let received = Mutex<[UInt8]>([])

  init(_ stage: Stage) {
    stage.limitBuffers(to: 1)
    (near, other) = socketEnds()
    Thread {
      let bytes = receiveAll(2, over: self.near)
      self.received.withLock { $0 = bytes }
      self.isOver.signal()
    }.start()
  }

  func end() -> String {
    isOver.wait()
    _ = close(near)
    return received.withLock { $0 == [1, 2] } ? "both" : "one"
  }
}
