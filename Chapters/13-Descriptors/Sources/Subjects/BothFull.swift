import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let bothFull = Subject(
    "both-full",
    asks: "A client sends more than all buffers hold to a server that echoes. Does it get its answer?",
    right: .allowed("all of it"), .forbidden("a part"),
    implementations: [
      .before(
        "sends all, then reads, and blocks",
        .deadlock("the server waits for room, and so does the client, which would make it")
      ) { (stage: Stage) in
        stage.limitBuffers(to: 2)
        let (ends, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        let server = try echo(over: ends.far) { isOver.signal() }
        stage.aboutToBlock("send")
        let answer = InTurn.exchange(message(stage), over: ends.near)
        _ = close(ends.near)
        isOver.wait()
        return withExtendedLifetime(server) { told(answer, stage) }
      }
      .code("EchoClientInTurn.swift", "while sent <"),
      .before("reads as it sends, on a queue") { (stage: Stage) in
        stage.limitBuffers(to: 2)
        let (ends, isOver) = (socketEnds(), DispatchSemaphore(value: 0))
        let server = try echo(over: ends.far) { isOver.signal() }
        let isAnswered = DispatchSemaphore(value: 0)
        let answer = Mutex<[UInt8]>([])
        let queue = DispatchQueue(label: "client")
        let client = Mutex<Sourced.Connection?>(nil)
        queue.async {
          let connection = try? Sourced.EchoClient.send(
            message(stage), over: ends.near, queue: queue
          ) { result in
            answer.withLock { $0 = (try? result.get()) ?? [] }
            isAnswered.signal()
          }
          client.withLock { $0 = connection }
        }
        isAnswered.wait()
        isOver.wait()
        client.withLock { $0 = nil }
        return withExtendedLifetime(server) { told(answer.withLock { $0 }, stage) }
      }
      .code("EchoClientSource.swift", "private func add"),
      .after(
        "sends all, then reads, and awaits",
        .deadlock("no thread blocks, and no task goes on")
      ) { stage in
        try await awaiting(stage, InTurn.exchange)
      }
      .code("EchoClientInTurn.swift", "try await connection.write"),
      .after("reads as it sends, with a child task") { stage in
        try await awaiting(stage, Async.echo)
      }
      .code("EchoClientAsync.swift", "async let isSent"),
    ])
}

/// More than what is on its way at a time.
private func message(_ stage: Stage) -> [UInt8] {
  [UInt8](repeating: 7, count: stage.isExplored ? 6 : 4 << 20)
}

private func told(_ answer: [UInt8], _ stage: Stage) -> String {
  answer == message(stage) ? "all of it" : "a part"
}

/// Serves one client, with sources.
private func echo(
  over descriptor: Int32, _ whenOver: @escaping @Sendable () -> Void
) throws -> Sourced.Connection {
  try Sourced.Connection(
    taking: descriptor, readsAlways: false, queue: DispatchQueue(label: "server"),
    whenRead: { $0.write($1) }, whenOver: { _ in whenOver() })
}

/// Serves one client and is it, with tasks.
private func awaiting(
  _ stage: Stage, _ exchange: ([UInt8], Async.Connection) async throws -> [UInt8]
) async throws -> String {
  stage.limitBuffers(to: 2)
  let (ends, areOver) = (socketEnds(), (Gate(), Gate()))
  let server = try Async.Connection(taking: ends.far) { areOver.0.open() }
  let client = try Async.Connection(taking: ends.near) { areOver.1.open() }
  let serving = Task {
    for try await piece in server { try await server.write(piece) }
    server.close()
  }
  stage.aboutToBlock("await of what the other side sends")
  let answer = try await exchange(message(stage), client)
  client.close()
  try await serving.value
  await areOver.0.wait()
  await areOver.1.wait()
  return told(answer, stage)
}
