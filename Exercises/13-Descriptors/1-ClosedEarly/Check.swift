import ControlledDispatch
import ExerciseChecking
import Glibc
import Testing

@testable import Answer

/// What the check uses.
private protocol Connecting: Sendable {
  init(
    taking descriptor: Int32, queue: DispatchQueue, received: @escaping @Sendable (String) -> Void)
  func pause()
  func resume()
  func stop()
}

extension Connection: Connecting {}

/// Two sockets of the explorer's kernel, and what the connection does that reads the first.
private final class Line: Sendable {
  private struct State {
    /// What the connection reads, and the other side.
    var near: Int32 = -1
    var far: Int32 = -1
    var received = ""
    /// The first thing that nobody should do.
    var complaint: String?
  }

  let name: String
  let queue: DispatchQueue
  private let state = Mutex(State())
  private let arrived = DispatchSemaphore(value: 0)
  private let receives: @Sendable (String) -> Void

  init(_ name: String, receives: @escaping @Sendable (String) -> Void = { _ in }) {
    self.name = name
    self.receives = receives
    queue = DispatchQueue(label: "of \(name)")
  }

  private var near: Int32 { state.withLock { $0.near } }
  private var far: Int32 { state.withLock { $0.far } }

  /// Opens the line, which gets the lowest numbers that are free.
  func connection() -> any Connecting {
    var ends: [Int32] = [0, 0]
    Kernel.socketpair(AF_UNIX, 0, 0, &ends)
    state.withLock { ($0.near, $0.far) = (ends[0], ends[1]) }
    return Connection(taking: ends[0], queue: queue) { text in
      self.state.withLock { $0.received += text }
      self.receives(text)
      if !self.isOpen { self.complain("\(self.name) is closed while its handler is under way") }
      for _ in text { self.arrived.signal() }
    }
  }

  /// Lets bytes come, if nobody has closed.
  func send(_ text: String) {
    Kernel.send(far, text, text.utf8.count, Int32(MSG_NOSIGNAL))
  }

  /// Waits until so many more bytes were received.
  func wait(for count: Int) {
    if !isOpen { complain("another connection closes the descriptor of \(name)") }
    if state.withLock({ $0.complaint == nil }) { for _ in 1...count { arrived.wait() } }
  }

  /// Waits until the other side has closed.
  func waitUntilClosed() {
    var byte: UInt8 = 0
    _ = Kernel.read(far, &byte, 1)
  }

  private var isOpen: Bool { Kernel.openDescriptors.contains(near) }

  private func complain(_ text: String) {
    state.withLock { $0.complaint = $0.complaint ?? text }
  }

  /// What was received, or what nobody should have done.
  var story: String {
    // More may follow.
    queue.sync {}
    let (received, complaint) = state.withLock { ($0.received, $0.complaint) }
    return complaint ?? (received.isEmpty ? "nothing" : received)
  }
}

private let some = Orders.upTo(classes: 60, preempted: 40, drawn: 20)

/// - Parameters:
///   - other: What is right, too.
///   - shortCounts: How many of a strand's reads may bring one byte only.
private func check(
  _ right: String, _ other: String? = nil, shortCounts: Int = 0,
  _ scenario: @escaping @Sendable () -> String
) async {
  let story: @Sendable () -> String = {
    Kernel.allow(shortCounts: shortCounts)
    return scenario()
  }
  guard let other else {
    return await everyOrder(gives: right, within: some, steps: 2_000, of: story)
  }
  await everyOrder(gives: right, other, within: some, steps: 2_000, of: story)
}

@Test func `what comes is received, until it is stopped, and the descriptor is closed once`() async
{
  await check("abc", shortCounts: 1) {
    let line = Line("A")
    let connection = line.connection()
    line.send("ab")
    line.send("c")
    line.wait(for: 3)
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
  await check("nothing") {
    let line = Line("A")
    let connection = line.connection()
    connection.stop()
    line.waitUntilClosed()
    line.send("ab")
    return line.story
  }
}

@Test func `one that is stopped as bytes come reads none of the next owner of its number`() async {
  await check("nothing; x", "ab; x") {
    let (old, new) = (Line("A"), Line("B"))
    let first = old.connection()
    old.send("ab")
    first.stop()
    let second = new.connection()
    new.send("x")
    new.wait(for: 1)
    second.stop()
    new.waitUntilClosed()
    old.waitUntilClosed()
    return old.story + "; " + new.story
  }
}

@Test func `a handler that is under way has its descriptor, and stop does not wait for it`() async {
  await check("ab") {
    let (hasReceived, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let line = Line("A") { _ in
      hasReceived.signal()
      mayGoOn.wait()
    }
    let connection = line.connection()
    line.send("ab")
    hasReceived.wait()
    line.send("cd")
    connection.stop()
    mayGoOn.signal()
    line.waitUntilClosed()
    return line.story
  }
}

@Test func `when stop has returned no handler begins`() async {
  await check("nothing") {
    let line = Line("A")
    let connection = line.connection()
    let (isOccupied, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    line.queue.async {
      isOccupied.signal()
      mayGoOn.wait()
    }
    isOccupied.wait()
    line.send("ab")
    connection.stop()
    line.send("cd")
    mayGoOn.signal()
    line.waitUntilClosed()
    return line.story
  }
}

@Test func `the handler itself may stop it`() async {
  await check("ab") {
    let own = Mutex<(any Connecting)?>(nil)
    let line = Line("A") { _ in
      own.withLock(\.self)?.stop()
      own.withLock(\.self)?.stop()
    }
    let connection = line.connection()
    own.withLock { $0 = connection }
    line.send("ab")
    line.waitUntilClosed()
    line.send("cd")
    own.withLock { $0 = nil }
    return line.story
  }
}

@Test func `it is closed once, however often it is stopped, and whoever has its number then`() async
{
  await check("nothing; x") {
    let (old, new) = (Line("A"), Line("B"))
    let first = old.connection()
    first.stop()
    first.stop()
    old.waitUntilClosed()
    let second = new.connection()
    first.stop()
    new.send("x")
    new.wait(for: 1)
    second.stop()
    new.waitUntilClosed()
    return old.story + "; " + new.story
  }
}

@Test func `so it is if several threads stop it at the same time`() async {
  await check("nothing", "ab") {
    let line = Line("A")
    let connection = line.connection()
    let group = DispatchGroup()
    for _ in 1...2 {
      DispatchQueue.global().async(group: group) { connection.stop() }
    }
    line.send("ab")
    group.wait()
    line.waitUntilClosed()
    return line.story
  }
}

@Test func `one that is stopped in a pause is closed, and what has come then is not received`()
  async
{
  await check("nothing") {
    let line = Line("A")
    let connection = line.connection()
    connection.pause()
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
  await check("nothing") {
    let line = Line("A")
    let connection = line.connection()
    connection.pause()
    line.send("ab")
    line.send("c")
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
  await check("abc") {
    let line = Line("A")
    let connection = line.connection()
    connection.pause()
    line.send("abc")
    connection.resume()
    line.wait(for: 3)
    connection.pause()
    connection.pause()
    line.send("d")
    connection.stop()
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
}

@Test func `after the stop, pause and resume do nothing`() async {
  await check("nothing") {
    let line = Line("A")
    let connection = line.connection()
    connection.pause()
    connection.stop()
    connection.resume()
    connection.pause()
    line.send("ab")
    line.waitUntilClosed()
    connection.pause()
    connection.stop()
    connection.resume()
    return line.story
  }
}

@Test func `one thread may pause and resume while another one stops it`() async {
  await check("nothing") {
    let line = Line("A")
    let connection = line.connection()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      connection.pause()
      connection.resume()
      connection.pause()
    }
    connection.stop()
    group.wait()
    line.waitUntilClosed()
    return line.story
  }
}

@Test func `the handler may pause it while another thread stops it`() async {
  await check("nothing", "ab") {
    let own = Mutex<(any Connecting)?>(nil)
    let line = Line("A") { _ in
      own.withLock(\.self)?.pause()
    }
    let connection = line.connection()
    own.withLock { $0 = connection }
    line.send("ab")
    connection.stop()
    line.waitUntilClosed()
    own.withLock { $0 = nil }
    return line.story
  }
}

@Test func `one that is released is stopped`() async {
  for isPaused in [false, true] {
    await check("ab") {
      let line = Line("A")
      do {
        let connection = line.connection()
        line.send("ab")
        line.wait(for: 2)
        if isPaused { connection.pause() }
        withExtendedLifetime(connection) {}
      }
      line.waitUntilClosed()
      return line.story
    }
  }
}

@Test func `one that was stopped is not closed again when it is released`() async {
  await check("nothing; x") {
    let (old, new) = (Line("A"), Line("B"))
    let second: any Connecting
    do {
      let first = old.connection()
      first.stop()
      old.waitUntilClosed()
      second = new.connection()
      withExtendedLifetime(first) {}
    }
    new.send("x")
    new.wait(for: 1)
    second.stop()
    new.waitUntilClosed()
    return old.story + "; " + new.story
  }
}

@Test func `the handler may release it`() async {
  await check("ab") {
    let own = Mutex<(any Connecting)?>(nil)
    let line = Line("A") { _ in
      let last = own.withLock { $0.take() }
      withExtendedLifetime(last) {}
    }
    do {
      let connection = line.connection()
      own.withLock { $0 = connection }
    }
    line.send("ab")
    line.waitUntilClosed()
    return line.story
  }
}
