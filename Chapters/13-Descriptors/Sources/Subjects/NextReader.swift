import Foundation
import Workbook

extension Subject {
  static let nextReader = Subject(
    "next-reader",
    asks: "A reader is cancelled as a byte comes, and another goes on. Does one of them get it?",
    right: .allowed("yes"), .forbidden("no"),
    implementations: [
      .after(
        "a stream of all that comes",
        .surprising("no", "what the stream had taken ended with its reader").onlyExplored
      ) { _ in
        let (pipe, received, isOver) = (pipeEnds(), Received(), Gate())
        let own = dup(pipe.reading)
        let stream = Unbounded.bytes(taking: own) { isOver.open() }
        let first = Task { for await bytes in stream { received.add(bytes) } }
        send("a", into: pipe.writing)
        first.cancel()
        _ = await first.result
        await isOver.wait()
        _ = close(pipe.writing)
        while case .bytes(let bytes) = try nextChunk(of: pipe.reading) { received.add(bytes) }
        _ = close(pipe.reading)
        return received.text == "a" ? "yes" : "no"
      }
      .code("ConnectionUnbounded.swift", "continuation.yield")
      .notPlayed("when the reader is cancelled is up to the scheduler"),
      .after("a connection that reads when it is asked") { _ in
        let (pipe, received, isOver) = (pipeEnds(), Received(), Gate())
        let connection = try Async.Connection(taking: pipe.reading, for: .reading) { isOver.open() }
        let first = Task { for try await bytes in connection { received.add(bytes) } }
        first.cancel()
        // It does not wait until the first one is over.
        let second = Task { received.add(try await connection.read()) }
        send("a", into: pipe.writing)
        _ = await first.result
        if received.text.isEmpty { _ = await second.result }
        connection.close()
        _ = await second.result
        await isOver.wait()
        _ = close(pipe.writing)
        return received.text == "a" ? "yes" : "no"
      }
      .code("ReadinessAsync.swift", "// The call is made under the lock"),
    ])
}
