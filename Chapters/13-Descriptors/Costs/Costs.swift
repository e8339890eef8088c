import Dispatch
import Foundation
import Synchronization

/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] = [
    echo(messages: 2_000, of: 1_000), echo(messages: 200, of: 100_000),
  ]

private func echo(
  messages: Int, of size: Int
) -> (String, [(name: String, run: @Sendable () async throws -> Void)]) {
  let message = [UInt8](repeating: 7, count: size)
  return (
    "\(messages) messages of \(size) bytes sent back, one after the other",
    [
      ("sources", { @Sendable in await echoBySources(messages, of: message) }),
      ("tasks", { @Sendable in try await echoByTasks(messages, of: message, InTurn.echo) }),
      (
        "tasks on the queue of their sources",
        { @Sendable in
          try await withTaskExecutorPreference(QueueExecutor()) {
            try await echoByTasks(messages, of: message, InTurn.echo)
          }
        }
      ),
      (
        "tasks that send and receive at the same time",
        { @Sendable in try await echoByTasks(messages, of: message, Async.echo) }
      ),
    ]
  )
}

private func sockets() -> (client: Int32, server: Int32) {
  var ends: [Int32] = [-1, -1]
  #if canImport(Darwin)
    precondition(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
  #else
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
  #endif
  return (ends[0], ends[1])
}

private func echoBySources(_ messages: Int, of message: [UInt8]) async {
  let (near, far) = sockets()
  let isOver = DispatchGroup()
  for _ in 1...2 { isOver.enter() }
  let server = try! Sourced.Connection(
    taking: far, readsAlways: false, queue: DispatchQueue(label: "server"),
    whenRead: { $0.write($1) }, whenOver: { _ in isOver.leave() })
  let progress = Progress(messages, message)
  let queue = DispatchQueue(label: "client")
  let client = queue.sync {
    let client = try! Sourced.Connection(
      taking: near, queue: queue, whenRead: { progress.take($1, from: $0) },
      whenOver: { _ in isOver.leave() })
    client.write(message)
    return client
  }
  await withCheckedContinuation { continuation in
    isOver.notify(queue: .global()) { continuation.resume() }
  }
  withExtendedLifetime((server, client)) {}
  precondition(progress.left == 0)
}

/// How many messages are to be sent yet.
// Sendable because it is used on the queue of its client, and then by who awaits the end.
private final class Progress: @unchecked Sendable {
  private(set) var left: Int
  private let message: [UInt8]
  private var received = 0

  init(_ messages: Int, _ message: [UInt8]) { (left, self.message) = (messages, message) }

  func take(_ bytes: [UInt8], from client: Sourced.Connection) {
    received += bytes.count
    guard received == message.count else { return }
    received = 0
    left -= 1
    if left > 0 { client.write(message) } else { client.finish() }
  }
}

private func echoByTasks(
  _ messages: Int, of message: [UInt8],
  _ exchange: (_ message: [UInt8], _ connection: Async.Connection) async throws -> [UInt8]
) async throws {
  let (near, far) = sockets()
  let server = try Async.Connection(taking: far)
  let client = try Async.Connection(taking: near)
  async let isServed: Void = Async.echo(server)
  for _ in 0..<messages {
    let answer = try await exchange(message, client)
    precondition(answer.count == message.count)
  }
  client.close()
  try await isServed
  server.close()
}

/// Runs tasks on the queue where their sources fire, so that who waits goes on there.
private final class QueueExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    readinessQueue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
