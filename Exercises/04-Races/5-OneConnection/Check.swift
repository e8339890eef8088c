import Interleaving
import InterleavingTesting
import Testing

/// What the check uses.
private protocol Box: Sendable {
  init(server: any MailServer)
  func connection() async -> Connection
  func close() async
}

extension Mailbox: Box {}

/// Numbers the connections, and knows which are open.
private actor Server: MailServer {
  private(set) var opened = 0
  private(set) var stillOpen: Set<Int> = []
  private(set) var closedAgain = 0

  func open() -> Connection {
    opened += 1
    stillOpen.insert(opened)
    return Connection(number: opened)
  }

  func close(_ connection: Connection) {
    if stillOpen.remove(connection.number) == nil { closedAgain += 1 }
  }

  func result(given: [Int] = []) -> Result {
    Result(given: given, opened: opened, stillOpen: stillOpen, closedAgain: closedAgain)
  }
}

/// Which connections were given out, and what the server says of them.
private struct Result: Hashable {
  let given: [Int]
  let opened: Int
  let stillOpen: Set<Int>
  let closedAgain: Int
}

/// What A and B are given when they ask at once, in no order.
@Sendable private func twoAsk(_ mailbox: any Box) async -> [Int] {
  await withTaskGroup { group in
    for name in ["A", "B"] {
      group.addTask(name: name) { await mailbox.connection().number }
    }
    return await group.reduce(into: []) { $0.append($1) }.sorted()
  }
}

@Test func `all who ask at once are given the same connection, and no other is opened`() async {
  let right = Result(given: [1, 1], opened: 1, stillOpen: [1], closedAgain: 0)
  let exploration = await explore(stopsAtFailure: true, steps: 80, allowing: [right].contains) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    return await server.result(given: twoAsk(mailbox))
  }
  exploration.expectNoFailures()
}

@Test func `after it was closed, a new one is opened, once`() async {
  let right = Result(given: [1, 2, 2], opened: 2, stillOpen: [2], closedAgain: 0)
  let exploration = await explore(stopsAtFailure: true, steps: 80, allowing: [right].contains) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    let first = await mailbox.connection().number
    await mailbox.close()
    return await server.result(given: [first] + twoAsk(mailbox))
  }
  exploration.expectNoFailures()
}

@Test func `two who close at once close it once`() async {
  let right = Result(given: [1], opened: 1, stillOpen: [], closedAgain: 0)
  let exploration = await explore(stopsAtFailure: true, steps: 80, allowing: [right].contains) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    let first = await mailbox.connection().number
    await withDiscardingTaskGroup { group in
      for name in ["A", "B"] {
        group.addTask(name: name) { await mailbox.close() }
      }
    }
    return await server.result(given: [first])
  }
  exploration.expectNoFailures()
}

@Test func `a close while one is opened leaves none behind in the end`() async {
  let right = [1, 2].map { Result(given: [], opened: $0, stillOpen: [], closedAgain: 0) }
  let exploration = await explore(stopsAtFailure: true, steps: 80, allowing: right.contains) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    await withDiscardingTaskGroup { group in
      group.addTask(name: "A") { _ = await mailbox.connection() }
      group.addTask(name: "B") {
        await mailbox.close()
        _ = await mailbox.connection()
      }
    }
    await mailbox.close()
    return await server.result()
  }
  exploration.expectNoFailures()
}
