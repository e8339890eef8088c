import Foundation
import Synchronization
import Workbook

extension Subject {
  static let bothFull = Subject(
    "both-full",
    asks: "Two send each other more than buffers hold, and one reads only then. Do both go on?",
    right: .allowed("both"), .forbidden("one"),
    implementations: [
      .before(
        "so does the other one, and blocks",
        .deadlock("both buffers are full, and each waits for room that the other would make")
      ) { (stage: Stage) in
        let peer = Peer(stage)
        stage.aboutToBlock("send")
        return peer.end(InTurn.echo(of: peer.message, over: peer.other))
      }
      .code("EchoClientInTurn.swift", "sendAll(message").alwaysWrong
      .found(
        "scenario waits for room in second of socket pair; Thread waits for room in first of socket pair"
      ),
      .before("the other one has a thread to send") { (stage: Stage) in
        let peer = Peer(stage)
        let answer = Threaded.echo(of: peer.message, over: peer.other)
        _ = close(peer.other)
        return peer.end(answer)
      }
      .code("EchoClientThread.swift", "Thread {"),
      .after(
        "so does the other one, and awaits",
        .deadlock("no thread of a task blocks, and no task goes on")
      ) { stage in
        try await Peer(stage).meet(InTurn.echo)
      }
      .code("EchoClientInTurn.swift", "try await connection.write").alwaysWrong
      .found(
        "scenario waits for a continuation; Thread waits for room in first of socket pair; readiness 1 waits for DispatchGroup"
      ),
      .after("the other one has a task to send") { stage in
        try await Peer(stage).meet(Async.echo)
      }
      .code("EchoClientAsync.swift", "async let isSent")
      .notExplored("two directions that both wait have more than 100,000 schedules"),
    ])
}

/// One that sends its message and reads then, on a thread of its own.
private final class Peer: Sendable {
  let message: [UInt8]
  /// What the other one has.
  let other: Int32
  private let near: Int32
  private let stage: Stage
  private let isOver = DispatchSemaphore(value: 0)
  private let answer = Mutex<[UInt8]>([])

  init(_ stage: Stage) {
    stage.limitBuffers(to: 1)
    self.stage = stage
    message = [UInt8](repeating: 7, count: stage.isExplored ? 2 : 4 << 20)
    (near, other) = socketEnds()
    Thread {
      let answer = InTurn.echo(of: self.message, over: self.near)
      self.answer.withLock { $0 = answer }
      self.isOver.signal()
    }.start()
  }

  /// Lets a connection of tasks meet it.
  func meet(
    _ exchange: ([UInt8], Async.Connection) async throws -> [UInt8]
  ) async throws -> String {
    let isClosed = Gate()
    let connection = try Async.Connection(taking: other) { isClosed.open() }
    stage.aboutToBlock("await of what the other side sends")
    let answer = try await exchange(message, connection)
    connection.close()
    await isClosed.wait()
    return end(answer)
  }

  /// Says who has got what the other one has sent.
  func end(_ answer: [UInt8]) -> String {
    isOver.wait()
    _ = close(near)
    return answer == message && self.answer.withLock { $0 } == message ? "both" : "one"
  }
}
