import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Descriptors

private let clients = ProcessInfo.processInfo.environment["ECHO_CLIENTS"].flatMap { Int($0) } ?? 100

@Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
struct EchoTests {
  /// Serves at a socket that listens, while a body runs.
  private func serve(
    _ form: Form, at number: Int32, limit: Int, _ body: () async throws -> Void
  ) async throws {
    switch form {
    case .before:
      let over = Deliveries<(any Error)?>()
      let stop = try Sourced.serveEcho(
        at: number, limit: limit, queue: DispatchQueue(label: "server")
      ) { over.append($0) }
      try await body()
      stop()
      if let error = await over.wait(count: 1)[0] { throw error }
    case .after:
      let server = Task { try await Async.serveEcho(at: number, limit: limit) }
      try await body()
      server.cancel()
      await #expect(throws: CancellationError.self) { try await server.value }
    }
  }

  @Test(arguments: Form.allCases, [2, clients])
  func `each of many gets back what it sent, in its turn`(_ form: Form, _ limit: Int) async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    try await serve(form, at: listener, limit: limit) {
      try await withThrowingDiscardingTaskGroup { group in
        for client in 0..<clients {
          group.addTask {
            // 10 MB in all, where all are served at a time.
            let message = pattern(limit == clients ? 100_000 : 1_000, from: client)
            let connection = try await Async.connect(to: port)
            defer { connection.close() }
            #expect(try await Async.echo(of: message, over: connection) == message)
          }
        }
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `for a client that never reads a server holds 64 KiB at most`(_ form: Form) async throws {
    let (listener, client) = unixSockets()
    // What the kernel holds while nobody reads at all.
    let held = fill(client)
    try await serve(form, at: listener, limit: 1) {
      // As long as the server makes room. The limit says that it makes none any more.
      let sent = await blocking {
        var (sent, polled) = (held, pollfd(fd: client, events: Int16(POLLOUT), revents: 0))
        while sent < 1 << 27, poll(&polled, 1, 500) == 1 { sent += fill(client) }
        // Of little room it is not told.
        return sent + fill(client)
      }
      // What is answered is with the client. The rest is on its way, or with the server.
      var answered: Int32 = 0
      #expect(ioctl(client, UInt(FIONREAD), &answered) == 0)
      #expect(held > 0 && sent - Int(answered) <= held + 65_536)
      let connection = try Async.Connection(taking: client)
      #expect(try await connection.readAll(sent) == [UInt8](repeating: 1, count: sent))
      connection.close()
    }
  }

  @Test(arguments: [0, 1 << 20])
  func `a message goes each way at once, on sources and tasks`(_ size: Int) async throws {
    let (near, far) = socketPair()
    let queue = DispatchQueue(label: "client")
    let answers = Deliveries<Result<[UInt8], any Error>>()
    let client = try queue.sync {
      try Sourced.echo(of: pattern(size), over: near, queue: queue) { answers.append($0) }
    }
    let connection = try Async.Connection(taking: far)
    #expect(try await Async.echo(of: pattern(size), over: connection) == pattern(size))
    #expect(try await answers.wait(count: 1).map { try $0.get() } == [pattern(size)])
    withExtendedLifetime(client) {}
  }

  @Test func `who connects where nobody listens is refused`() async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    close(listener)
    let error = await #expect(throws: DescriptorError.self) { try await Async.connect(to: port) }
    #expect(error?.code == ECONNREFUSED)
  }
}

/// Sends as much as there is room for, and says how much.
private func fill(_ descriptor: Int32) -> Int {
  // So small that the kernel takes all of a piece, or nothing.
  let piece = [UInt8](repeating: 1, count: 16_384)
  let flags = Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)
  var sent = 0
  while sent < 1 << 27, case let count = send(descriptor, piece, piece.count, flags), count > 0 {
    sent += count
  }
  return sent
}

/// A socket that listens at an address of the kernel's, and one that is connected to it. Their buffers do not grow, and
/// what one sends is with the other at once.
private func unixSockets() -> (listener: Int32, client: Int32) {
  let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
  let (listener, client) = (socket(AF_UNIX, kind, 0), socket(AF_UNIX, kind, 0))
  var address = sockaddr()
  address.sa_family = sa_family_t(AF_UNIX)
  var size = socklen_t(MemoryLayout<sa_family_t>.size)
  precondition(bind(listener, &address, size) == 0 && listen(listener, 1) == 0)
  size = socklen_t(MemoryLayout<sockaddr>.size)
  precondition(getsockname(listener, &address, &size) == 0 && connect(client, &address, size) == 0)
  return (listener, client)
}
