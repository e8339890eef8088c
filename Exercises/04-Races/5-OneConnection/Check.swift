import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Box: Sendable {
  init(server: any MailServer)
  func connection() async -> Connection
  func close() async
}

extension Mailbox: Box {}

/// Numbers the connections, and knows which are open.
private actor Server: MailServer {
  private var opened = 0
  private(set) var stillOpen: Set<Int> = []
  private var closedAgain: [Int] = []
  /// Whether a close takes so long that others come and go meanwhile.
  private let isSlow: Bool
  nonisolated let untilClosing: AsyncStream<Void>
  private let isClosing: AsyncStream<Void>.Continuation

  init(isSlow: Bool = false) {
    self.isSlow = isSlow
    (untilClosing, isClosing) = AsyncStream.makeStream(of: Void.self)
  }

  func open() -> Connection {
    opened += 1
    stillOpen.insert(opened)
    return Connection(number: opened)
  }

  func close(_ connection: Connection) async {
    isClosing.finish()
    if isSlow { await Task.yield() }
    if stillOpen.remove(connection.number) == nil { closedAgain.append(connection.number) }
  }

  /// How many it has opened, which of them are open, and what was closed that was not.
  var report: String {
    "\(opened) opened, \(numbers(stillOpen.sorted())) open"
      + (closedAgain.isEmpty ? "" : ", \(numbers(closedAgain)) closed again")
  }
}

private func numbers(_ numbers: [Int]) -> String {
  numbers.isEmpty ? "none" : numbers.map { "\($0)" }.joined(separator: " and ")
}

/// Which connections some are given that ask at once, in no order.
@Sendable private func given(_ callers: Int, by mailbox: any Box) async -> String {
  let given = await withTaskGroup { group in
    for name in ["A", "B", "C"].prefix(callers) {
      group.addTask(name: name) { await mailbox.connection().number }
    }
    return await group.reduce(into: []) { $0.append($1) }
  }
  return "given \(numbers(given.sorted()))"
}

/// Has some close at once.
@Sendable private func close(_ mailbox: any Box, by callers: Int) async {
  await withDiscardingTaskGroup { group in
    for name in ["A", "B", "C"].prefix(callers) {
      group.addTask(name: name) { await mailbox.close() }
    }
  }
}

/// A chain of tasks has more orders than there is time for.
private let some = Orders.upTo(classes: 250, preempted: 100, drawn: 50)

@Test func `all who ask at once are given the same connection, and no other is opened`() async {
  await everyOrder(gives: "given 1 and 1; 1 opened, 1 open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    return "\(await given(2, by: mailbox)); \(await server.report)"
  }
  await everyOrder(gives: "given 1 and 1 and 1, given 1; 1 opened, 1 open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    return await "\(given(3, by: mailbox)), \(given(1, by: mailbox)); \(server.report)"
  }
}

@Test func `after it was closed, a new one is opened, once`() async {
  await everyOrder(gives: "given 1, given 2 and 2; 2 opened, 2 open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    let first = await given(1, by: mailbox)
    await mailbox.close()
    return await "\(first), \(given(2, by: mailbox)); \(server.report)"
  }
}

@Test func `so it is again and again`() async {
  await everyOrder(gives: "given 1, given 2, given 3; 3 opened, none open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    var all: [String] = []
    for _ in 1...3 {
      all.append(await given(1, by: mailbox))
      await mailbox.close()
      await mailbox.close()
    }
    return "\(all.joined(separator: ", ")); \(await server.report)"
  }
}

@Test func `where nothing was opened, close has nothing to close`() async {
  await everyOrder(gives: "0 opened, none open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    await close(mailbox, by: 2)
    return await server.report
  }
}

@Test func `two who close at once close it once`() async {
  await everyOrder(gives: "given 1; 1 opened, none open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    let first = await given(1, by: mailbox)
    await close(mailbox, by: 2)
    return "\(first); \(await server.report)"
  }
}

@Test func `a close while one is opened leaves none behind in the end`() async {
  await everyOrder(gives: "1 opened, none open", "2 opened, none open", within: some) {
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
    return await server.report
  }
}

@Test func `nor do two closes while one is opened`() async {
  // Who waits for the opening may look again, and open a new one, after each close.
  await everyOrder(
    gives: "1 opened, none open", "2 opened, none open", "3 opened, none open", within: some
  ) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    await withDiscardingTaskGroup { group in
      group.addTask(name: "A") { _ = await mailbox.connection() }
      for name in ["B", "C"] { group.addTask(name: name) { await mailbox.close() } }
    }
    await mailbox.close()
    return await server.report
  }
}

@Test func `two that each ask and then close leave none open`() async {
  await everyOrder(gives: "1 opened, none open", "2 opened, none open", within: some) {
    let server = Server(isSlow: true)
    let mailbox: any Box = Mailbox(server: server)
    await withDiscardingTaskGroup { group in
      for name in ["A", "B"] {
        group.addTask(name: name) {
          _ = await mailbox.connection()
          await mailbox.close()
        }
      }
    }
    return await server.report
  }
}

@Test func `a caller that asks after a close has returned gets an open connection`() async {
  await everyOrder(gives: "open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    async let first: Void = { _ = await mailbox.connection() }()
    _ = await mailbox.connection()
    await mailbox.close()
    await first
    let connection = await mailbox.connection()
    return await server.stillOpen.contains(connection.number)
      ? "open" : "connection \(connection.number), which is closed"
  }
}

@Test func `so it does when the close came while one was opened`() async {
  await everyOrder(gives: "open", within: some) {
    let server = Server()
    let mailbox: any Box = Mailbox(server: server)
    async let first: Void = { _ = await mailbox.connection() }()
    await mailbox.close()
    let connection = await mailbox.connection()
    await first
    return await server.stillOpen.contains(connection.number)
      ? "open" : "connection \(connection.number), which is closed"
  }
}

@Test func `a caller that asks while one is being closed is not given that one`() async {
  await everyOrder(gives: "given 2; 2 opened, 2 open", within: some) {
    let server = Server(isSlow: true)
    let mailbox: any Box = Mailbox(server: server)
    _ = await mailbox.connection()
    async let closed: Void = mailbox.close()
    for await _ in server.untilClosing {}
    let given = await given(1, by: mailbox)
    await closed
    return "\(given); \(await server.report)"
  }
}
