import Foundation
import Workbook

extension Subject {
  static let halfWritten = Subject(
    "half-written",
    asks: "Two bytes are sent where one has room. What does the other side get?",
    right: .allowed("both"), .forbidden("one"),
    implementations: [
      .before("until all is written") { (stage: Stage) in
        stage.limitBuffers(to: 1)
        let (ends, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        let queue = DispatchQueue(label: "connection")
        let connection = try Sourced.Connection(
          taking: ends.far, queue: queue, whenRead: { _, _ in },
          whenOver: { _ in isOver.signal() })
        queue.async {
          connection.write([1, 2])
          connection.finish()
        }
        let received = receiveAll(2, over: ends.near)
        isOver.wait()
        _ = close(ends.near)
        return received == [1, 2] ? "both" : "one"
      }
      .code("ConnectionSource.swift", "private func flush")
      .onlyReduced("without a reduction it has more schedules than a suite has time for"),
      .after("until all is written") { stage in
        stage.limitBuffers(to: 1)
        let (ends, isOver) = (socketEnds(), Gate())
        let connection = try Async.Connection(taking: ends.far, for: .writing) { isOver.open() }
        let writer = Task {
          try await connection.write([1, 2])
          connection.close()
        }
        let received = receiveAll(2, over: ends.near)
        try await writer.value
        await isOver.wait()
        _ = close(ends.near)
        return received == [1, 2] ? "both" : "one"
      }
      .code("ConnectionAsync.swift", "while !rest.isEmpty"),
    ])
}
