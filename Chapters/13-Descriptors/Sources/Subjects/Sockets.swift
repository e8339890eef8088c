import Foundation
import Workbook

extension Subject {
  static let twoSources = Subject(
    "two-sources",
    asks: "A socket is closed as it sends, and another is opened. Where do its bytes go?",
    right: .allowed("to its own peer"), .allowed("nowhere"), .forbidden("to another peer"),
    implementations: [
      .before(
        "the read source closes",
        .surprising(
          "to another peer", "the write source did not know, and the number was given again"
        )
        .onlyExplored
      ) { (_: Stage) in
        let (old, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        _ = fcntl(old.near, F_SETFL, O_NONBLOCK)
        let cancel = FirstCloses.write([1], taking: old.near) { isOver.signal() }
        cancel()
        let next = socketEnds()
        isOver.wait()
        return whoseByte(old, next)
      }
      .code("ConnectionFirstCloses.swift", "reading.setCancelHandler")
      .notPlayed("which source is faster is up to Dispatch"),
      .before("both sources must have ended") { (_: Stage) in
        let (old, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        let queue = DispatchQueue(label: "connection")
        let connection = try Sourced.Connection(
          taking: old.near, queue: queue, whenRead: { _, _ in }, whenOver: { _ in isOver.signal() })
        queue.async { connection.write([1]) }
        connection.cancel()
        let next = socketEnds()
        isOver.wait()
        return whoseByte(old, next)
      }
      .code("ConnectionSource.swift", "sources.notify"),
      .after("a number for each") { _ in
        let (old, isOver) = (socketEnds(), Gate())
        let connection = try Async.Connection(taking: old.near) { isOver.open() }
        let writer = Task { try await connection.write([1]) }
        connection.close()
        let next = socketEnds()
        await isOver.wait()
        _ = await writer.result
        return whoseByte(old, next)
      }
      .code("ConnectionAsync.swift", "writer = purpose"),
    ])

  static let halfWritten = Subject(
    "half-written",
    asks: "Two bytes are sent where one has room. What does the other side get?",
    right: .allowed("both"), .forbidden("one"),
    implementations: [
      .before("until all is written") { (stage: Stage) in
        stage.limitBuffers(to: 1)
        let (ends, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        let queue = DispatchQueue(label: "connection")
        let connection = try queue.sync {
          let connection = try Sourced.Connection(
            taking: ends.far, queue: queue, whenRead: { _, _ in },
            whenOver: { _ in isOver.signal() })
          connection.write([1, 2])
          connection.finish()
          return connection
        }
        let received = receiveAll(2, over: ends.near)
        isOver.wait()
        close(ends.near)
        return withExtendedLifetime(connection) { received == [1, 2] ? "both" : "one" }
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
        close(ends.near)
        return received == [1, 2] ? "both" : "one"
      }
      .code("ConnectionAsync.swift", "while !rest.isEmpty"),
    ])

  static let bothFull = Subject(
    "both-full",
    asks: "Two send each other more than buffers hold, and one reads only then. Do both go on?",
    right: .allowed("both"), .forbidden("one"),
    implementations: [
      .before(
        "so does the other one, and blocks",
        .deadlock("both buffers are full, and each waits for room that the other would make")
      ) { (stage: Stage) in blockingExchange(stage, InTurn.echo) }
      .code("EchoClientInTurn.swift", "sendAll(message").alwaysWrong
      .found(
        "scenario waits for room in second of socket pair; Thread waits for room in first of socket pair"
      ),
      .before("the other one has a thread to send") { (stage: Stage) in
        blockingExchange(stage, Threaded.echo)
      }
      .code("EchoClientThread.swift", "Thread {"),
      .after(
        "so does the other one, and awaits",
        .deadlock("no thread of a task blocks, and no task goes on")
      ) { stage in try await exchange(stage, InTurn.echo) }
      .code("EchoClientInTurn.swift", "try await connection.write").alwaysWrong
      .found(
        "scenario waits for a continuation; Thread waits for room in first of socket pair; readiness 1 waits for DispatchGroup"
      ),
      .after("the other one has a task to send") { stage in try await exchange(stage, Async.echo) }
        .code("EchoClientAsync.swift", "async let isSent"),
    ])

  static let echoedMessage = Subject(
    "echoed-message",
    asks: "A client has sent two bytes and ends its sending. What does the server send back?",
    right: .allowed("both"), .forbidden("something else"),
    implementations: [
      .before("sources") { (_: Stage) in
        let (ends, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        sendAll([1, 2], over: ends.near)
        shutdown(ends.near, Int32(SHUT_WR))
        let server = try Sourced.echo(
          taking: ends.far, queue: DispatchQueue(label: "server"),
          whenOver: { _ in isOver.signal() })
        isOver.wait()
        let answer = receiveAll(3, over: ends.near)
        close(ends.near)
        return withExtendedLifetime(server) { answer == [1, 2] ? "both" : "something else" }
      }
      .code("EchoServerSource.swift", "taking: number, readsAlways"),
      .after("a task") { _ in
        let (ends, isOver) = (socketEnds(), Gate())
        sendAll([1, 2], over: ends.near)
        shutdown(ends.near, Int32(SHUT_WR))
        let server = try Async.Connection(taking: ends.far) { isOver.open() }
        try await Async.echo(server)
        await isOver.wait()
        let answer = receiveAll(3, over: ends.near)
        close(ends.near)
        return answer == [1, 2] ? "both" : "something else"
      }
      .code("EchoServerAsync.swift", "for try await piece"),
    ])
}

/// Closes what is left of two pairs of sockets, of which the next one may have the old one's numbers.
private func whoseByte(_ old: SocketEnds, _ next: SocketEnds) -> String {
  close(next.near)
  let counts = [old.far, next.far].map { far in
    defer { close(far) }
    var byte: UInt8 = 0
    return recv(far, &byte, 1, Int32(MSG_DONTWAIT))
  }
  return counts[1] == 1 ? "to another peer" : counts[0] == 1 ? "to its own peer" : "nowhere"
}

/// Lets one that blocks exchange messages with the peer.
private func blockingExchange(_ stage: Stage, _ echo: ([UInt8], Int32) -> [UInt8]) -> String {
  let (message, other, end) = peer(stage)
  stage.aboutToBlock("send")
  let answer = echo(message, other)
  close(other)
  return end(answer)
}

/// Lets a connection of tasks exchange messages with the peer.
private func exchange(
  _ stage: Stage, _ echo: ([UInt8], Async.Connection) async throws -> [UInt8]
) async throws -> String {
  let ((message, other, end), isClosed) = (peer(stage), Gate())
  let connection = try Async.Connection(taking: other) { isClosed.open() }
  stage.aboutToBlock("await of what the other side sends")
  let answer = try await echo(message, connection)
  connection.close()
  await isClosed.wait()
  return end(answer)
}

/// Begins one that sends a message and reads then, on a thread of its own. Returns the message, the end of the other
/// one, and what waits and says who has got what was sent first.
private func peer(_ stage: Stage) -> ([UInt8], Int32, ([UInt8]) -> String) {
  stage.limitBuffers(to: 1)
  let message = [UInt8](repeating: 7, count: stage.isExplored ? 1 : 4 << 20)
  let (ends, received) = (socketEnds(), End<[UInt8]>())
  // Both buffers are full from the beginning. Tasks that fill them have more than 100,000 schedules.
  let first = stage.isExplored ? [6] : message
  if stage.isExplored { for end in [ends.near, ends.far] { sendAll(first, over: end) } }
  Thread { received.take(InTurn.echo(of: message, over: ends.near)) }.start()
  func end(_ answer: [UInt8]) -> String {
    let own = received.wait()
    close(ends.near)
    return answer == first && own == first ? "both" : "one"
  }
  return (message, ends.far, end)
}
