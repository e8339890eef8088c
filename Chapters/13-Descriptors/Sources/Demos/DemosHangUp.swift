import Foundation
import Synchronization
import Workbook

extension Demo {
  static let hangUp = Demo(
    "hang-up",
    asks: "A worker writes 2,500 bytes into a pipe and ends. How much of it is read?",
    sides: [
      .hazard(
        .before, "as much as the source says", byEstimate,
        .surprising("fewer bytes, and the end", "Linux tells of a hang-up once, with 0 bytes"),
        .forbidden(all)
      )
      .code("FileReaderByEstimate.swift", "let count"),
      .hazard(
        .before, "read until there is no more", bySource, .allowed(all),
        .forbidden("fewer bytes, and the end")
      )
      .code("ConnectionSource.swift", "/// Linux tells once"),
      .hazard(
        .after, "a task that reads on", byTask, .allowed(all),
        .forbidden("fewer bytes, and the end")
      )
      .code("ReadinessAsync.swift", "// It may have fired since"),
    ])

  private static let byEstimate = Hazard("descriptors/hang-up-by-estimate") { _ in
    let received = Mutex(0)
    let isOver = DispatchSemaphore(value: 0)
    let reader = AsPublished.ReaderByEstimate(
      descriptor: endedWorker(), queue: DispatchQueue(label: "worker"),
      whenRead: { bytes in received.withLock { $0 += bytes.count } },
      whenOver: { isOver.signal() })
    isOver.wait()
    return withExtendedLifetime(reader) { told(received.withLock { $0 }) }
  }

  private static let bySource = Hazard("descriptors/hang-up-by-source") { _ in
    let received = Mutex(0)
    let isOver = DispatchSemaphore(value: 0)
    do {
      let connection = try Sourced.Connection(
        taking: endedWorker(), for: .reading, queue: DispatchQueue(label: "worker"),
        whenRead: { _, bytes in received.withLock { $0 += bytes.count } },
        whenOver: { _ in isOver.signal() })
      isOver.wait()
      return withExtendedLifetime(connection) { told(received.withLock { $0 }) }
    } catch { return "\(error)" }
  }

  private static let byTask = Hazard.task("descriptors/hang-up-by-task") { _ in
    do {
      var count = 0
      let connection = try Async.Connection(taking: endedWorker(), for: .reading)
      for try await bytes in connection { count += bytes.count }
      return told(count)
    } catch { return "\(error)" }
  }
}

private let all = "2,500 bytes, and the end"

private func told(_ count: Int) -> String {
  count == 2_500 ? all : "fewer bytes, and the end"
}

/// A pipe whose writer has written and left.
private func endedWorker() -> Int32 {
  let pipe = pipeEnds()
  send(String(repeating: "x", count: 2_500), into: pipe.writing)
  _ = close(pipe.writing)
  return pipe.reading
}
