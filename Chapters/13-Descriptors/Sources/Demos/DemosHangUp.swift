import Foundation
import Synchronization
import Workbook

extension Demo {
  static let hangUp = Demo(
    "hang-up",
    asks: "A worker writes 2,500 bytes into a pipe and ends. How much of it is read?",
    sides: [
      .hazard(
        .before, "one read an event", asPublished,
        .surprising("hang", "Linux tells of a hang-up once, with 0 bytes"), .forbidden(all)
      )
      .code("FileReaderAsPublished.swift", "let estimate"),
      .hazard(.before, "read until there is no more", bySource, .allowed(all), .forbidden("hang"))
        .code("ConnectionSource.swift", "/// Linux tells once"),
      .hazard(.after, "a task that reads on", byTask, .allowed(all), .forbidden("hang"))
        .code("ReadinessAsync.swift", "// It may have fired since"),
    ])

  private static let asPublished = Hazard("descriptors/hang-up-as-published") { transcript in
    let received = Mutex(0)
    let isOver = DispatchSemaphore(value: 0)
    let reader = AsPublished.FileReader(descriptor: endedWorker()) { _, count in
      received.withLock { $0 += count }
      transcript.say("reads \(count) bytes")
      if count == 0 { isOver.signal() }
      return count == 0
    }
    transcript.aboutToBlock("wait for the end")
    isOver.wait()
    return withExtendedLifetime(reader) { told(received.withLock { $0 }) }
  }

  private static let bySource = Hazard("descriptors/hang-up-by-source") { transcript in
    let received = Mutex(0)
    let isOver = DispatchSemaphore(value: 0)
    do {
      let connection = try Sourced.Connection(
        taking: endedWorker(), for: .reading, queue: DispatchQueue(label: "worker"),
        whenRead: { _, bytes in received.withLock { $0 += bytes.count } },
        whenOver: { _ in isOver.signal() })
      transcript.aboutToBlock("wait for the end")
      isOver.wait()
      return withExtendedLifetime(connection) { told(received.withLock { $0 }) }
    } catch { return "\(error)" }
  }

  private static let byTask = Hazard.task("descriptors/hang-up-by-task") { transcript in
    do {
      var count = 0
      let connection = try Async.Connection(taking: endedWorker(), for: .reading)
      transcript.aboutToBlock("await of the end")
      for try await bytes in connection { count += bytes.count }
      return told(count)
    } catch { return "\(error)" }
  }
}

private let all = "2,500 bytes, and the end"

private func told(_ count: Int) -> String {
  count == 2_500 ? all : "\(count) bytes, and the end"
}

/// A pipe whose writer has written and left.
private func endedWorker() -> Int32 {
  let pipe = pipeEnds()
  send(String(repeating: "x", count: 2_500), into: pipe.writing)
  _ = close(pipe.writing)
  return pipe.reading
}
