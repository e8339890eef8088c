import Foundation
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
        let (pipe, lengths, isOver) = (pipeEnds(), Received(), DispatchSemaphore(value: 0))
        AsPublished.readFile(dup(pipe.reading)) { _, count in
          if count == 0 { isOver.signal() } else { lengths.add("\(count)") }
          return count == 0
        }
        meet(pipe)
        isOver.wait()
        return lengths.all.last ?? "none"
      }
      .code("FileReaderAsPublished.swift", "let count = read")
      .notPlayed("which of them is faster is up to Dispatch"),
      .before("its result, looked at") { (_: Stage) in try length(readSourced) }
        .code("OwnedDescriptor.swift", "if code == EAGAIN"),
      .after("a connection") { (_: Stage) in try length(readAwaited) }
        .code("ReadinessAsync.swift", "if let answer { return"),
    ])

  static let twoLines = Subject(
    "two-lines",
    asks: "Two lines come through a pipe, in pieces that are cut anywhere. What is read?",
    right: .allowed("ab, cd"), .forbidden("something else"),
    implementations: [
      .before(
        "as many bytes as the source says",
        .surprising("something else", "a read gave fewer bytes than the source had said")
          .onlyExplored
      ) { (_: Stage) in
        let (pipe, received) = (pipeEnds(), Received())
        send("ab\ncd\n", into: pipe.writing)
        let reader = readByEstimate(pipe.reading, received.add)
        close(pipe.writing)
        reader.waitForRest()
        return received.text == "ab\ncd\n" ? "ab, cd" : "something else"
      }
      .code("FileReaderByEstimate.swift", "var bytes")
      .notPlayed("whether a read is short is up to the kernel"),
      .before("as many as were read") { (_: Stage) in
        let (pipe, lines, isOver) = (pipeEnds(), Received(), DispatchSemaphore(value: 0))
        let reading = try Sourced.lines(
          taking: pipe.reading, queue: DispatchQueue(label: "lines"), whenLine: lines.add,
          whenOver: { _ in isOver.signal() })
        send("ab\ncd\n", into: pipe.writing)
        close(pipe.writing)
        isOver.wait()
        return withExtendedLifetime(reading) {
          lines.all == ["ab", "cd"] ? "ab, cd" : "something else"
        }
      }
      .code("LinesSource.swift", "while let line"),
      .after("lines of a connection") { _ in
        let (pipe, lines, isOver) = (pipeEnds(), Received(), Gate())
        let connection = try Async.Connection(taking: pipe.reading, for: .reading) { isOver.open() }
        send("ab\nc", into: pipe.writing)
        let sender = Task { send("d\n", into: pipe.writing) }
        var reader = Async.Lines(of: connection).makeAsyncIterator()
        for _ in 1...2 { if let line = try await reader.next() { lines.add(line) } }
        await sender.value
        connection.close()
        await isOver.wait()
        close(pipe.writing)
        return lines.all == ["ab", "cd"] ? "ab, cd" : "something else"
      }
      .code("LinesAsync.swift", "if let line"),
    ])

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
      ) { (_: Stage) in try whoseBytes(readClosedEarly) }
      .code("ConnectionClosedEarly.swift", "close(descriptor)")
      .notPlayed("when the handler reads is up to Dispatch"),
      .before("closed in the cancel handler") { (_: Stage) in try whoseBytes(readSourced) }
        .code("ConnectionSource.swift", "sources.notify"),
      .after("closed by its connection") { (_: Stage) in try whoseBytes(readAwaited) }
        .code("ReadinessAsync.swift", "owned.closeOnce()"),
    ])

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
        let stream = Unbounded.bytes(taking: dup(pipe.reading)) { isOver.open() }
        let first = Task { for await bytes in stream { received.add(bytes) } }
        send("a", into: pipe.writing)
        first.cancel()
        _ = await first.result
        await isOver.wait()
        close(pipe.writing)
        while case .bytes(let bytes) = try nextChunk(of: pipe.reading) { received.add(bytes) }
        close(pipe.reading)
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
        close(pipe.writing)
        return received.text == "a" ? "yes" : "no"
      }
      .code("ReadinessAsync.swift", "// The call is made under the lock"),
    ])
}

/// Lets a byte come, which another reader takes if it can, and the end.
private func meet(_ pipe: PipeEnds) {
  send("x", into: pipe.writing)
  _ = try? nextChunk(of: pipe.reading)
  for end in [pipe.reading, pipe.writing] { close(end) }
}

/// Says how many bytes a reader gets that meets another one.
private func length(_ begin: Reader.Begin) throws -> String {
  let (pipe, lengths) = (pipeEnds(), Received())
  let reader = try begin(dup(pipe.reading)) { lengths.add("\($0.count)") }
  meet(pipe)
  reader.waitForRest()
  return lengths.all.last ?? "none"
}

/// Cancels a reader as its byte comes, and opens the next pipe, which may get its number. Says whose bytes were read.
private func whoseBytes(_ begin: Reader.Begin) throws -> String {
  let (old, received) = (pipeEnds(), Received())
  let reader = try begin(old.reading, received.add)
  send("o", into: old.writing)
  reader.cancel()
  let next = pipeEnds()
  send("n", into: next.writing)
  reader.waitForRest()
  for end in [old.writing, next.reading, next.writing] { close(end) }
  let texts = received.all
  return texts.contains("n") ? "the next one's" : texts.isEmpty ? "none" : "its own"
}
