import Foundation
import Synchronization
import Workbook

typealias PipeEnds = (reading: Int32, writing: Int32)
typealias WhenRead = @Sendable ([UInt8]) -> Void

/// The two ends of a pipe that no child inherits and that do not block.
func pipeEnds() -> PipeEnds {
  var ends: [Int32] = [-1, -1]
  precondition(pipe(&ends) == 0)
  for end in ends {
    precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0 && fcntl(end, F_SETFL, O_NONBLOCK) == 0)
  }
  return (ends[0], ends[1])
}

/// Writes to a file, or to a pipe with room.
func send(_ text: String, into descriptor: Int32) {
  precondition(write(descriptor, text, text.utf8.count) == text.utf8.count)
}

/// What comes, in the order in which it does.
final class Received: Sendable {
  private let texts = Mutex<[String]>([])

  @Sendable func add(_ text: String) { texts.withLock { $0.append(text) } }
  @Sendable func add(_ bytes: [UInt8]) { add(String(decoding: bytes, as: UTF8.self)) }

  var all: [String] { texts.withLock { $0 } }
  var text: String { all.joined() }
}

/// What something says at its end, once, and somebody waits for.
// Sendable because it is written before the signal, and read after the wait.
final class End<Value: Sendable>: @unchecked Sendable {
  private let isThere = DispatchSemaphore(value: 0)
  private var value: Value?

  @Sendable func take(_ value: Value) {
    precondition(self.value == nil, "it is said twice")
    self.value = value
    isThere.signal()
  }

  func wait() -> Value {
    isThere.wait()
    return value!
  }
}

/// What has begun to read a descriptor, and what waits until it reads no more.
struct Reader {
  typealias Begin = @Sendable (_ descriptor: Int32, @escaping WhenRead) throws -> Reader

  let cancel, waitForRest: () -> Void
}

func readByEstimate(_ descriptor: Int32, _ whenRead: @escaping WhenRead) -> Reader {
  let isOver = DispatchSemaphore(value: 0)
  AsPublished.readByEstimate(
    descriptor, queue: DispatchQueue(label: "reader"), whenRead: whenRead,
    whenOver: { isOver.signal() })
  return Reader(cancel: {}, waitForRest: { isOver.wait() })
}

func readClosedEarly(_ descriptor: Int32, _ whenRead: @escaping WhenRead) -> Reader {
  let queue = DispatchQueue(label: "reader")
  let cancel = ClosedEarly.read(taking: descriptor, queue: queue, whenRead: whenRead)
  return Reader(cancel: cancel) { queue.sync {} }
}

func readSourced(_ descriptor: Int32, _ whenRead: @escaping WhenRead) throws -> Reader {
  let isOver = DispatchSemaphore(value: 0)
  let connection = try Sourced.Connection(
    taking: descriptor, for: .reading, queue: DispatchQueue(label: "reader"),
    whenRead: { whenRead($1) }, whenOver: { _ in isOver.signal() })
  return Reader(cancel: connection.cancel) { withExtendedLifetime(connection) { isOver.wait() } }
}

func readAwaited(_ descriptor: Int32, _ whenRead: @escaping WhenRead) throws -> Reader {
  let (isOver, isClosed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let connection = try Async.Connection(taking: descriptor, for: .reading) { isClosed.signal() }
  Task {
    defer { isOver.signal() }
    for try await bytes in connection { whenRead(bytes) }
  }
  return Reader(cancel: connection.close) {
    isOver.wait()
    connection.close()
    isClosed.wait()
  }
}
