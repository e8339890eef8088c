import Foundation
import PrioritySimulation
import Workbook

extension Demo {
  static let hangUp = Demo(
    "hang-up",
    asks: "A worker writes 2,500 bytes into a pipe and ends. How much of it is read?",
    sides: [
      worker.side(
        .before, "as much as the source says", "hang-up-by-estimate",
        wrong: "Linux tells of a hang-up once, with 0 bytes", readByEstimate
      ).code("FileReaderByEstimate.swift", "let count"),
      worker.side(.before, "read until there is no more", "hang-up-by-source", readSourced)
        .code("ConnectionSource.swift", "/// Linux tells once"),
      worker.side(.after, "a task that reads on", "hang-up-by-task", readAwaited)
        .code("ReadinessAsync.swift", "// It may have fired since"),
    ])

  static let closedEarly = Demo(
    "closed-early",
    asks:
      "A connection is closed while its handler runs, and another is opened. Who reads its bytes?",
    sides: [
      next.side(
        .before, "closed at once", "closed-at-once",
        wrong: "the number of the descriptor has a new owner", readClosedEarly
      ).code("ConnectionClosedEarly.swift", "close(descriptor)"),
      next.side(.before, "closed in the cancel handler", "closed-by-handler", readSourced)
        .code("ConnectionSource.swift", "sources.notify"),
      next.side(.after, "closed by its connection", "closed-by-connection", readAwaited)
        .code("ReadinessAsync.swift", "owned.closeOnce()"),
    ])

  static let slowReader = Demo(
    "slow-reader",
    asks: "A client sends 8 MiB, and nobody reads them yet. Where are they?",
    sides: [
      .after(
        "a stream of all that comes",
        .surprising(inProcess, "the source reads as fast as the client sends"), .forbidden(atClient)
      ) { _ in try await whereBytesAre(clientWaits: true) { Unbounded.bytes(taking: $0) } }
      .code("ConnectionUnbounded.swift", "continuation.yield"),
      .after(
        "a connection that reads when it is asked", .allowed(atClient), .forbidden(inProcess)
      ) { _ in try await whereBytesAre(clientWaits: false) { try Async.Connection(taking: $0) } }
      .code("ReadinessAsync.swift", "state.isSuspended = true"),
    ])

  static let urgentBehindRead = Demo(
    "urgent-behind-read",
    asks: "An alarm comes to a queue on which a log is read. How long does it wait?",
    sides: [
      .simulated(
        alarm(queue: true), .noProtocol, as: "the read blocks the queue",
        .surprising("blocked for 49 ticks", "30 of work that is not on that queue"),
        .forbidden("blocked for 0 ticks")
      ).code("LinesBlockingRead.swift", "queue.async"),
      .simulated(
        alarm(queue: true), .inheritance, as: "the read blocks it, with inheritance", in: .before,
        .surprising("blocked for 19 ticks", "it waits for the sender all the same"),
        .forbidden("blocked for 0 ticks")
      ).code("LinesBlockingRead.swift", "queue.async"),
      .simulated(
        alarm(queue: false), .noProtocol, as: "a task awaits the lines", in: .after,
        .allowed("blocked for 0 ticks", "who awaits holds nothing that the alarm needs"),
        .forbidden("blocked for 49 ticks")
      ).code("LinesAsync.swift", "let piece = try await"),
    ])
}

private let worker = Trial<Reader.Begin>(
  right: "2,500 bytes, and the end", wrong: "fewer bytes, and the end", run: howMuch)
// In a process of its own, because descriptors are numbered for a whole process.
private let next = Trial<Reader.Begin>(right: "nobody yet", wrong: "the old handler", run: whoReads)
private let inProcess = "in the memory of the process"
private let atClient = "with the client, but for what the kernel holds"

/// Reads a pipe whose writer has written and left.
private func howMuch(_ begin: @escaping Reader.Begin, _: Transcript) throws -> String {
  let (pipe, received) = (pipeEnds(), Received())
  send(String(repeating: "x", count: 2_500), into: pipe.writing)
  close(pipe.writing)
  try begin(pipe.reading, received.add).waitForRest()
  return received.text.utf8.count == 2_500 ? worker.right : worker.wrong
}

/// Cancels a reader while it handles its first byte, and opens another connection, with bytes to read.
private func whoReads(_ begin: @escaping Reader.Begin, _: Transcript) throws -> String {
  let (old, other, received) = (pipeEnds(), pipeEnds(), Received())
  let (isReading, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let reader = try begin(old.reading) { bytes in
    received.add(bytes)
    guard received.all.count == 1 else { return }
    isReading.signal()
    mayGoOn.wait()
  }
  send("old", into: old.writing)
  isReading.wait()
  reader.cancel()
  // A new descriptor gets the lowest number that is free, here from the old one's on.
  _ = fcntl(other.reading, F_DUPFD_CLOEXEC, old.reading)
  send("next", into: other.writing)
  mayGoOn.signal()
  reader.waitForRest()
  let texts = received.all
  return texts == ["old"] ? next.right : texts == ["old", "next"] ? next.wrong : "\(texts)"
}

/// Lets a client send 8 MiB, or those that there is room for, because nobody makes more, and reads then.
private func whereBytesAre<Pieces: AsyncSequence & Sendable>(
  clientWaits: Bool, _ begin: (Int32) throws -> Pieces
) async throws -> String where Pieces.Element == [UInt8] {
  let (client, server) = socketEnds()
  for end in clientWaits ? [server] : [server, client] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  let pieces = try begin(server)
  let sent = await blocking { sendAll([UInt8](repeating: 1, count: 8 << 20), over: client) }
  close(client)
  var kept = 0
  for try await piece in pieces { kept += piece.count }
  guard kept == sent else { return "\(kept) bytes of \(sent)" }
  return kept == 8 << 20 ? inProcess : kept < 1 << 20 ? atClient : "\(kept) bytes"
}

/// The sender of the log has 19 ticks to go when the alarm comes, on the tick behind it; other work comes between.
private func alarm(queue: Bool) -> TaskSet {
  .urgent("alarm", behind: "sender", sharing: queue ? "queue" : nil)
}
