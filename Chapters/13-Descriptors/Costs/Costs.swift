import Foundation

/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] = [
    echo(messages: 2_000, of: 1_000), echo(messages: 200, of: 100_000),
  ]

private typealias Form = (name: String, run: @Sendable () async throws -> Void)

private func echo(messages: Int, of size: Int) -> (String, [Form]) {
  let message = [UInt8](repeating: 7, count: size)
  let tasks = { @Sendable in try await echoByTasks(messages, of: message) }
  func sources(_ answer: @escaping Answer) -> @Sendable () async -> Void {
    { await echoBySources(messages, of: message, answer) }
  }
  return (
    "\(messages) messages of \(size) bytes sent back, one after the other",
    [
      ("sources", sources { _ in { $0.write($1) } }),
      ("sources that answer on another queue", sources(answerOnAnotherQueue)), ("tasks", tasks),
      (
        "tasks on the queue of their sources",
        { try await withTaskExecutorPreference(QueueExecutor(), operation: tasks) }
      ),
    ]
  )
}

private typealias Answer = @Sendable (_ descriptor: Int32) -> Sourced.Connection.Received

@Sendable private func answerOnAnotherQueue(_ number: Int32) -> Sourced.Connection.Received {
  let program = DispatchQueue(label: "program")
  return { _, bytes in
    program.async { precondition(write(number, bytes, bytes.count) == bytes.count) }
  }
}

private func echoBySources(_ messages: Int, of message: [UInt8], _ answer: Answer) async {
  let (near, far) = socketEnds()
  let isOver = DispatchGroup()
  for _ in 1...2 { isOver.enter() }
  let server = try! Sourced.Connection(
    taking: far, readsAlways: false, queue: DispatchQueue(label: "server"),
    whenRead: answer(far), whenOver: { _ in isOver.leave() })
  let (left, send) = (Confined(messages * message.count), answer(near))
  let queue = DispatchQueue(label: "client")
  let client = queue.sync {
    let client = try! Sourced.Connection(
      taking: near, queue: queue,
      whenRead: { client, bytes in
        left.value -= bytes.count
        guard left.value.isMultiple(of: message.count) else { return }
        if left.value > 0 { send(client, message) } else { client.finish() }
      },
      whenOver: { _ in isOver.leave() })
    send(client, message)
    return client
  }
  await withCheckedContinuation { continuation in
    isOver.notify(queue: .global()) { continuation.resume() }
  }
  withExtendedLifetime((server, client)) {}
  precondition(left.value == 0)
}

private func echoByTasks(_ messages: Int, of message: [UInt8]) async throws {
  let (near, far) = socketEnds()
  let server = try Async.Connection(taking: far)
  let client = try Async.Connection(taking: near)
  async let isServed: Void = Async.echo(server)
  for _ in 0..<messages {
    let answer = try await InTurn.echo(of: message, over: client)
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
