import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import Descriptors

private let clients = ProcessInfo.processInfo.environment["ECHO_CLIENTS"].flatMap { Int($0) } ?? 100

@Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
struct EchoTests {
  @Test(arguments: Form.allCases, [2, clients])
  func `each of many gets back what it sent, in its turn`(_ form: Form, _ limit: Int) async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    let end: () async -> Void
    switch form {
    case .before:
      let over = Deliveries<(any Error)?>()
      let queue = DispatchQueue(label: "server")
      let stop = try Sourced.serveEcho(at: listener, limit: limit, queue: queue) { over.append($0) }
      end = {
        stop()
        #expect(await over.wait(count: 1)[0] == nil)
      }
    case .after:
      let server = Task { try await Async.serveEcho(at: listener, limit: limit) }
      end = {
        server.cancel()
        await #expect(throws: CancellationError.self) { try await server.value }
      }
    }
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
    await end()
  }

  @Test(arguments: Form.allCases)
  func `for a client that never reads a server holds 64 KiB at most`(_ form: Form) async throws {
    // The buffers of unix sockets do not grow, and what one sends is with the other at once.
    let ((client, far), message) = (socketPair(), [UInt8](repeating: 1, count: 8 << 20))
    var patience = timeval(tv_sec: 0, tv_usec: 500_000)
    let size = socklen_t(MemoryLayout<timeval>.size)
    #expect(setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, size) == 0)
    // What the kernel holds while nobody reads at all.
    let held = await blocking { sendAll(message, over: client) }
    var server: Sourced.Connection?
    switch form {
    case .before:
      server = try Sourced.echo(taking: far, queue: DispatchQueue(label: "server")) { _ in }
    case .after:
      let connection = try Async.Connection(taking: far)
      Task { try await Async.echo(connection) }
    }
    // As long as the server makes room. The time says that it makes none any more.
    let sent = await blocking { held + sendAll(message, over: client) }
    // What is answered is with the client. The rest is on its way, or with the server.
    var answered: Int32 = 0
    #expect(ioctl(client, UInt(FIONREAD), &answered) == 0)
    #expect(held > 0 && sent - Int(answered) <= held + 65_536)
    let connection = try Async.Connection(taking: client)
    #expect(try await connection.readAll(sent) == [UInt8](repeating: 1, count: sent))
    withExtendedLifetime(server) {}
  }

  @Test func `a message goes each way at once, on sources and tasks`() async throws {
    let ((near, far), message) = (socketPair(), pattern(1 << 20))
    let reading = try Reading(.before, near, for: .both)
    await reading.write(message)
    let connection = try Async.Connection(taking: far)
    #expect(try await Async.echo(of: message, over: connection) == message)
    await reading.pieces.wait { $0.reduce(0) { $0 + $1.count } == message.count }
    #expect(reading.pieces.all.flatMap(\.self) == message)
  }

  @Test func `who connects where nobody listens is refused`() async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    close(listener)
    let error = await #expect(throws: DescriptorError.self) { try await Async.connect(to: port) }
    #expect(error?.code == ECONNREFUSED)
  }
}
