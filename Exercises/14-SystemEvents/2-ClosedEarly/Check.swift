import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Connecting: Sendable {
  init(
    taking descriptor: Int, of system: any Descriptors, queue: DispatchQueue,
    received: @escaping @Sendable (String) -> Void)
  func pause()
  func resume()
  func stop()
}

extension Connection: Connecting {}

/// A kernel that gives the lowest number that is free, and knows whose it is.
private final class Kernel: Sendable {
  private struct State {
    /// Whose each number is.
    var owners: [Int: Line] = [:]
    /// The first thing that nobody should do.
    var complaint: String?

    mutating func complain(_ text: String) { complaint = complaint ?? text }
  }

  private let state = Mutex(State())

  /// What nobody should do and somebody did, or nothing.
  var complaint: String? { state.withLock { $0.complaint } }

  /// Opens a descriptor.
  func open(_ line: Line) -> Int {
    state.withLock { state in
      var number = 3
      while state.owners[number] != nil { number += 1 }
      state.owners[number] = line
      return number
    }
  }

  /// Whether a number may be read by somebody.
  func isOpen(_ number: Int, for reader: Line) -> Bool {
    state.withLock { state in
      let owner = state.owners[number]
      if owner === reader { return true }
      state.complain(
        "\(reader.name) reads "
          + (owner.map { "what has come for \($0.name)" } ?? "a number that is closed"))
      return false
    }
  }

  func close(_ number: Int, by closer: Line, watched: Bool, inHandler: Bool) {
    state.withLock { state in
      let owner = state.owners.removeValue(forKey: number)
      if owner == nil {
        state.complain("\(closer.name) closes a number that is closed")
      } else if let owner, owner !== closer {
        state.complain("\(closer.name) closes the descriptor of \(owner.name)")
      } else if inHandler {
        state.complain("\(closer.name) is closed while its handler is under way")
      } else if watched {
        state.complain("\(closer.name) is closed while its source still watches the number")
      }
    }
  }
}

/// One end of a line between two computers, and what its connection does with it.
private final class Line: Descriptors {
  private struct State {
    var source: Source?
    var waiting = ""
    var received = ""
    var isWatched = false
    var isInHandler = false
    var closings = 0
  }

  let name: String
  let queue: DispatchQueue
  /// Where Dispatch watches descriptors.
  let manager = DispatchQueue(label: "manager")
  private let kernel: Kernel
  private let state = Mutex(State())
  private let closed = DispatchSemaphore(value: 0)
  private let arrived = DispatchSemaphore(value: 0)
  /// Is called by a handler before it reads, and with what it has read.
  private let reads: @Sendable () -> Void
  private let receives: @Sendable (String) -> Void

  init(
    _ name: String, _ kernel: Kernel, receives: @escaping @Sendable (String) -> Void = { _ in },
    reads: @escaping @Sendable () -> Void = {}
  ) {
    self.name = name
    self.kernel = kernel
    self.reads = reads
    self.receives = receives
    queue = DispatchQueue(label: "of \(name)")
  }

  /// Opens the line.
  func connection() -> any Connecting {
    Connection(taking: kernel.open(self), of: self, queue: queue) { text in
      self.state.withLock { $0.received += text }
      self.receives(text)
      for _ in text { self.arrived.signal() }
    }
  }

  /// Lets bytes come.
  func send(_ text: String) {
    let source = state.withLock { state in
      state.waiting += text
      return state.source
    }
    source?.source.add(data: UInt(text.count))
  }

  /// Waits until so many more bytes were received.
  func wait(for count: Int) {
    for _ in 1...count { arrived.wait() }
  }

  func waitUntilClosed() { closed.wait() }

  /// What was received, how often it was closed, and what nobody should have done.
  var story: String {
    // More may follow.
    for queue in [queue, manager, queue] { queue.sync {} }
    let (received, closings) = state.withLock { ($0.received, $0.closings) }
    let end =
      switch closings {
      case 0: "not closed"
      case 1: "closed once"
      default: "closed \(closings) times"
      }
    return kernel.complaint ?? (received.isEmpty ? "nothing" : received) + ", " + end
  }

  // MARK: What a connection uses

  func makeReadSource(fileDescriptor: Int, queue: DispatchQueue) -> any ReadSource {
    let source = Source(queue, self)
    state.withLock { state in
      state.source = source
      state.isWatched = true
    }
    return source
  }

  func read(_ descriptor: Int, upTo count: UInt) -> String {
    reads()
    guard kernel.isOpen(descriptor, for: self) else { return "" }
    return state.withLock { state in
      let text = state.waiting.prefix(Int(count))
      state.waiting.removeFirst(text.count)
      return String(text)
    }
  }

  func close(_ descriptor: Int) {
    let (isWatched, isInHandler) = state.withLock { state in
      state.closings += 1
      // What is closed is watched no more.
      state.source = nil
      return (state.isWatched, state.isInHandler)
    }
    kernel.close(descriptor, by: self, watched: isWatched, inHandler: isInHandler)
    closed.signal()
  }

  // MARK: What its source tells

  func handle(_ handler: () -> Void) {
    state.withLock { $0.isInHandler = true }
    handler()
    state.withLock { $0.isInHandler = false }
  }

  func unwatch() {
    state.withLock { $0.isWatched = false }
  }
}

/// Stands for a read source: what comes is added up.
private final class Source: ReadSource, @unchecked Sendable {
  // Sendable because Dispatch's sources may be used on any thread.
  let source: any DispatchSourceUserDataAdd
  private let queue: DispatchQueue
  private let line: Line

  init(_ queue: DispatchQueue, _ line: Line) {
    source = DispatchSource.makeUserDataAddSource(queue: queue)
    self.queue = queue
    self.line = line
    setCancelHandler {}
  }

  var data: UInt { source.data }

  func setEventHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setEventHandler { [line] in line.handle(handler) }
  }

  /// Behind the last handler Dispatch's own queue lets go of the number, and then the cancel handler is called.
  func setCancelHandler(_ handler: @escaping @Sendable () -> Void) {
    source.setCancelHandler { [line, queue] in
      line.manager.async {
        line.unwatch()
        queue.async { handler() }
      }
    }
  }

  func activate() { source.activate() }
  func suspend() { source.suspend() }
  func resume() { source.resume() }
  func cancel() { source.cancel() }
}

private let some = Orders.upTo(classes: 60, preempted: 40, drawn: 20)

/// - Parameter other: What is right, too.
private func check(
  _ right: String, _ other: String? = nil, _ scenario: @escaping @Sendable () -> String
) async {
  guard let other else {
    return await everyOrder(gives: right, within: some, steps: 2_000, of: scenario)
  }
  await everyOrder(gives: right, other, within: some, steps: 2_000, of: scenario)
}

@Test func `what comes is received, until it is stopped, and the descriptor is closed once`() async
{
  await check("abc, closed once") {
    let line = Line("A", Kernel())
    let connection = line.connection()
    line.send("ab")
    line.send("c")
    line.wait(for: 3)
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
  await check("nothing, closed once") {
    let line = Line("A", Kernel())
    let connection = line.connection()
    connection.stop()
    line.waitUntilClosed()
    line.send("ab")
    return line.story
  }
}

@Test func `one that is stopped as bytes come reads none of the next owner of its number`() async {
  await check("nothing, closed once; x, closed once", "ab, closed once; x, closed once") {
    let kernel = Kernel()
    let (old, new) = (Line("A", kernel), Line("B", kernel))
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

@Test func `a handler that is about to read has its descriptor, and stop does not wait for it`()
  async
{
  await check("ab, closed once; x, closed once", "nothing, closed once; x, closed once") {
    let kernel = Kernel()
    let (isAboutToRead, mayRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let old = Line(
      "A", kernel,
      reads: {
        isAboutToRead.signal()
        mayRead.wait()
      })
    let new = Line("B", kernel)
    let first = old.connection()
    old.send("ab")
    isAboutToRead.wait()
    first.stop()
    let second = new.connection()
    new.send("x")
    new.wait(for: 1)
    mayRead.signal()
    old.waitUntilClosed()
    second.stop()
    new.waitUntilClosed()
    return old.story + "; " + new.story
  }
}

@Test func `so has one that does something with what it has read`() async {
  await check("ab, closed once") {
    let (hasReceived, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let line = Line("A", Kernel()) { _ in
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
  await check("nothing, closed once") {
    let line = Line("A", Kernel())
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
  await check("ab, closed once") {
    let own = Mutex<(any Connecting)?>(nil)
    let line = Line("A", Kernel()) { _ in
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
  await check("nothing, closed once; x, closed once") {
    let kernel = Kernel()
    let (old, new) = (Line("A", kernel), Line("B", kernel))
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
  await check("nothing, closed once", "ab, closed once") {
    let line = Line("A", Kernel())
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
  await check("nothing, closed once") {
    let line = Line("A", Kernel())
    let connection = line.connection()
    connection.pause()
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
  await check("nothing, closed once") {
    let line = Line("A", Kernel())
    let connection = line.connection()
    connection.pause()
    line.send("ab")
    line.send("c")
    connection.stop()
    line.waitUntilClosed()
    return line.story
  }
  await check("abc, closed once") {
    let line = Line("A", Kernel())
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
  await check("nothing, closed once") {
    let line = Line("A", Kernel())
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
  await check("nothing, closed once") {
    let line = Line("A", Kernel())
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
  await check("nothing, closed once", "ab, closed once") {
    let own = Mutex<(any Connecting)?>(nil)
    let line = Line("A", Kernel()) { _ in
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
    await check("ab, closed once") {
      let line = Line("A", Kernel())
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
  await check("nothing, closed once; x, closed once") {
    let kernel = Kernel()
    let (old, new) = (Line("A", kernel), Line("B", kernel))
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
  await check("ab, closed once") {
    let own = Mutex<(any Connecting)?>(nil)
    let line = Line("A", Kernel()) { _ in
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
