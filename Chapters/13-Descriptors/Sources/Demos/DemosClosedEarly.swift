import Foundation
import Synchronization
import Workbook

extension Demo {
  static let closedEarly = Demo(
    "closed-early",
    asks:
      "A connection is closed while its handler runs, and another is opened. Who reads its bytes?",
    sides: [
      .hazard(
        .before, "closed at once", closedAtOnce,
        .surprising("the old handler", "the number of the descriptor has a new owner"),
        .forbidden("nobody yet")
      )
      .code("ConnectionClosedEarly.swift", "close(descriptor)"),
      .hazard(
        .before, "closed in the cancel handler", closedByHandler, .allowed("nobody yet"),
        .forbidden("the old handler")
      )
      .code("ConnectionSource.swift", "sources.notify"),
      .hazard(
        .after, "closed by its connection", closedByConnection, .allowed("nobody yet"),
        .forbidden("the old handler")
      )
      .code("ConnectionAsync.swift", "owned.closeOnce()"),
    ])

  private static let closedAtOnce = hazard("at-once") { descriptor, whenRead in
    let queue = DispatchQueue(label: "connection")
    let connection = ClosedEarly.Connection(taking: descriptor, queue: queue, whenRead: whenRead)
    return Reader(cancel: connection.cancel) { queue.sync {} }
  }

  private static let closedByHandler = hazard("by-handler") { descriptor, whenRead in
    let isOver = DispatchSemaphore(value: 0)
    let connection = try Sourced.Connection(
      taking: descriptor, for: .reading, queue: DispatchQueue(label: "connection"),
      whenRead: { whenRead($1) }
    ) { _ in isOver.signal() }
    return Reader(cancel: connection.cancel) { isOver.wait() }
  }

  private static let closedByConnection = hazard("by-connection") { descriptor, whenRead in
    let isOver = DispatchSemaphore(value: 0)
    let connection = try Async.Connection(taking: descriptor, for: .reading) { isOver.signal() }
    Task { for try await bytes in connection { whenRead(bytes) } }
    return Reader(cancel: connection.close) { isOver.wait() }
  }
}

/// What reads a connection.
private struct Reader {
  let cancel: () -> Void
  /// Waits until it reads no more.
  let waitForRest: () -> Void
}

/// In a process of its own, because descriptors are numbered for a whole process.
private func hazard(
  _ name: String,
  _ begin: @escaping @Sendable (Int32, @escaping @Sendable ([UInt8]) -> Void) throws -> Reader
) -> Hazard {
  Hazard("descriptors/closed-\(name)") { _ in
    do { return try whoReadsNext(begin) } catch { return "\(error)" }
  }
}

/// Cancels a reader while it handles its first byte, and opens another connection, with bytes to read.
private func whoReadsNext(
  _ begin: (Int32, @escaping @Sendable ([UInt8]) -> Void) throws -> Reader
) throws -> String {
  let (old, next) = (pipeEnds(), pipeEnds())
  let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let texts = Mutex<[String]>([])
  let reader = try begin(old.reading) { bytes in
    let isFirst = texts.withLock { texts in
      texts.append(String(decoding: bytes, as: UTF8.self))
      return texts.count == 1
    }
    guard isFirst else { return }
    isReading.signal()
    mayGoOn.wait()
  }
  _ = write(old.writing, "old", 3)
  isReading.wait()
  reader.cancel()
  // A new descriptor gets the lowest number that is free, here from the old one's on.
  _ = fcntl(next.reading, F_DUPFD_CLOEXEC, old.reading)
  _ = write(next.writing, "next", 4)
  mayGoOn.signal()
  reader.waitForRest()
  switch texts.withLock({ $0 }) {
  case ["old", "next"]: return "the old handler"
  case ["old"]: return "nobody yet"
  case let other: return "\(other)"
  }
}
