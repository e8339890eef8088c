import ControlledDispatch
import ExerciseChecking
import Glibc
import Testing

@testable import Answer

/// What the check uses.
private protocol Sending: Sendable {
  init(
    sending message: [UInt8], taking descriptor: Int32, queue: DispatchQueue,
    by send: @escaping Send, whenOver: @escaping @Sendable (Int32) -> Void)
}

extension Sender: Sending {}

/// A call that is interrupted twice each time before it sends.
private func interrupted() -> Send {
  let calls = Mutex(0)
  return { descriptor, bytes, count, flags in
    let number = calls.withLock { calls in
      calls += 1
      return calls
    }
    guard number.isMultiple(of: 3) else {
      Kernel.errno = EINTR
      return -1
    }
    return Kernel.send(descriptor, bytes, count, flags)
  }
}

/// Two sockets of the explorer's kernel: a message is sent through the first, and the second gets it.
private final class Line: Sendable {
  private struct State {
    /// The sender, if the line keeps it.
    var sender: (any Sending)?
    var received = ""
    /// The reasons that `whenOver` was called with.
    var endings: [String] = []
    /// The first thing that the sender should not do.
    var complaint: String?
  }

  let queue = DispatchQueue(label: "messages")
  private let near: Int32
  private let far: Int32
  private let own = DispatchSpecificKey<Bool>()
  private let state = Mutex(State())
  private let isOver = DispatchSemaphore(value: 0)

  /// Opens the line, which gets the lowest numbers that are free.
  init() {
    var ends: [Int32] = [0, 0]
    Kernel.socketpair(AF_UNIX, 0, 0, &ends)
    Kernel.fcntl(ends[0], F_SETFL, O_NONBLOCK)
    (near, far) = (ends[0], ends[1])
    queue.setSpecific(key: own, value: true)
  }

  /// Begins to send a message.
  ///
  /// - Parameters:
  ///   - isKept: Whether the line keeps the sender.
  ///   - call: The call that sends.
  func send(
    _ text: String, isKept: Bool = true,
    by call: @escaping Send = { Kernel.send($0, $1, $2, $3) }
  ) {
    let sender: any Sending = Sender(
      sending: Array(text.utf8), taking: near, queue: queue, by: call,
      whenOver: { self.end(with: $0) })
    if isKept { state.withLock { $0.sender = sender } }
  }

  private func end(with code: Int32) {
    let isOpen = Kernel.openDescriptors.contains(near)
    let isOnQueue = DispatchQueue.getSpecific(key: own) == true
    state.withLock { state in
      state.endings.append(word(for: code))
      if isOpen {
        state.complaint = state.complaint ?? "whenOver is called before the socket is closed"
      } else if !isOnQueue {
        state.complaint = state.complaint ?? "whenOver is called elsewhere than on the queue"
      }
    }
    isOver.signal()
  }

  private func word(for code: Int32) -> String {
    switch code {
    case 0: "sent"
    case EPIPE: "EPIPE"
    case EAGAIN: "EAGAIN"
    case EINTR: "EINTR"
    case EBADF: "EBADF"
    default: "error \(code)"
    }
  }

  /// Receives a piece.
  ///
  /// - Returns: Whether there was one; if not, the other side has closed.
  @discardableResult
  func receive() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Kernel.read(far, &bytes, bytes.count)
    guard count > 0 else { return false }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    state.withLock { $0.received += text }
    return true
  }

  /// Receives until the other side has closed.
  func receiveAll() {
    while receive() {}
  }

  /// Receives the bytes that are left when the message is over.
  func receiveRest() {
    // If there is a complaint, the other side may never close.
    if state.withLock({ $0.complaint == nil }) { receiveAll() }
  }

  /// Closes the side that receives.
  func hangUp() { Kernel.close(far) }

  func waitUntilOver() { isOver.wait() }

  /// The bytes that were received and the reason of the end, or the complaint.
  var story: String {
    // More may follow.
    queue.sync {}
    let (sender, story) = state.withLock { state in
      let received = state.received.isEmpty ? "nothing" : state.received
      let endings = state.endings.joined(separator: ", and then ")
      return (state.sender.take(), state.complaint ?? "\(received), \(endings)")
    }
    withExtendedLifetime(sender) {}
    return story
  }
}

private let some = Orders.upTo(classes: 80, preempted: 40, drawn: 20)

/// - Parameters:
///   - room: How many bytes a socket takes until somebody reads.
///   - shortCounts: How many of a strand's calls may take, or bring, one byte only.
private func check(
  _ right: String, room: Int? = nil, shortCounts: Int = 0, within orders: Orders = some,
  _ scenario: @escaping @Sendable () -> String
) async {
  await everyOrder(gives: right, within: orders, steps: 1_000) {
    if let room { Kernel.limitBuffers(to: room) }
    Kernel.allow(shortCounts: shortCounts)
    return scenario()
  }
}

@Test func `whenOver is called once, on the queue, after the socket is closed`() async {
  await check("hello, sent") {
    let line = Line()
    line.send("hello")
    line.waitUntilOver()
    line.receiveRest()
    return line.story
  }
  // The last byte takes the last room, and nobody reads before all is over.
  await check("hello, sent", room: 5) {
    let line = Line()
    line.send("hello")
    line.waitUntilOver()
    line.receiveRest()
    return line.story
  }
}

@Test func `where a call has taken a part, the next one goes on with the byte after it`() async {
  await check("abcd, sent", room: 2, shortCounts: 1) {
    let line = Line()
    line.send("abcd")
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
  await check("abcdefgh, sent", room: 3) {
    let line = Line()
    line.send("abcdefgh")
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
}

@Test func `where there is no room it waits, and the queue does other work`() async {
  await check("abc, sent", room: 1) {
    let hasCalled = DispatchSemaphore(value: 0)
    let line = Line()
    line.send("abc") { descriptor, bytes, count, flags in
      defer { hasCalled.signal() }
      return Kernel.send(descriptor, bytes, count, flags)
    }
    hasCalled.wait()
    // The first byte is sent, and nobody makes room for the second one until the other work is done.
    line.queue.sync {}
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
}

@Test func `a call that is interrupted is made again`() async {
  await check("abc, sent") {
    let line = Line()
    line.send("abc", by: interrupted())
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
  await check("ab, sent", room: 1) {
    let line = Line()
    line.send("ab", by: interrupted())
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
}

@Test func `an error ends it, and is told once`() async {
  await check("nothing, EPIPE") {
    let line = Line()
    line.hangUp()
    line.send("abc")
    line.waitUntilOver()
    return line.story
  }
  await check("a, EPIPE", room: 1) {
    let line = Line()
    line.send("abc")
    line.receive()
    line.hangUp()
    line.waitUntilOver()
    return line.story
  }
}

@Test func `the next owner of the number is served, because nothing watches the old socket`() async
{
  await check(
    "a, sent; b, sent", within: .upTo(classes: 400, preempted: 200, drawn: 100)
  ) {
    let old = Line()
    old.send("a")
    old.waitUntilOver()
    let new = Line()
    new.send("b")
    new.waitUntilOver()
    old.receiveRest()
    new.receiveRest()
    return old.story + "; " + new.story
  }
  await check(
    "nothing, EPIPE; b, sent", within: .upTo(classes: 400, preempted: 200, drawn: 100)
  ) {
    let old = Line()
    old.hangUp()
    old.send("a")
    old.waitUntilOver()
    let new = Line()
    new.send("b")
    new.waitUntilOver()
    new.receiveRest()
    return old.story + "; " + new.story
  }
}

@Test func `a sender that nobody keeps is there until it is over`() async {
  await check("abc, sent", room: 1) {
    let line = Line()
    line.send("abc", isKept: false)
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
}

@Test func `an empty message is sent at once`() async {
  await check("nothing, sent") {
    let line = Line()
    line.send("")
    line.receiveAll()
    line.waitUntilOver()
    return line.story
  }
}
