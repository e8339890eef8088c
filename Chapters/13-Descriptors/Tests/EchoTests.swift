import ChapterTesting
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Descriptors

@Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
struct EchoTests {
  /// A server at a port, until its handle is ended.
  struct Server: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let begin:
      @Sendable (_ listener: Int32, _ limit: Int) throws -> @Sendable () async throws -> Void

    static let all = [
      Server(testDescription: "sources") { listener, limit in
        let over = Deliveries<(any Error)?>()
        let server = Mutex<Sourced.EchoServer?>(
          try Sourced.EchoServer(
            taking: listener, limit: limit, queue: DispatchQueue(label: "server")
          ) { over.append($0) })
        return {
          server.withLock { $0 = nil }
          if let error = await over.wait(count: 1)[0] { throw error }
        }
      },
      Server(testDescription: "tasks") { number, limit in
        let listener = try Async.Listener(taking: number)
        let serving = Task { try await Async.serveEcho(at: listener, limit: limit) }
        return {
          listener.close()
          try await serving.value
        }
      },
    ]
  }

  /// How many clients there are, and how many bytes each sends: 10 MB in all.
  private static let (clients, size) = (
    ProcessInfo.processInfo.environment["ECHO_CLIENTS"].flatMap { Int($0) } ?? 100, 100_000
  )

  @Test(arguments: Server.all)
  func `each of many clients gets back what it has sent`(_ server: Server) async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    let end = try server.begin(listener, Self.clients)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for client in 0..<Self.clients {
        group.addTask {
          let message = (0..<Self.size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ client) }
          let connection = try await Async.connect(to: port)
          defer { connection.close() }
          return try await Async.echo(of: message, over: connection) == message
        }
      }
      for try await isEqual in group { #expect(isEqual) }
    }
    try await end()
  }

  @Test(arguments: Server.all)
  func `more clients than are served at a time wait for their turn`(_ server: Server) async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    let end = try server.begin(listener, 2)
    let first = try await [Async.connect(to: port), Async.connect(to: port)]
    for client in first { #expect(try await Async.echo(of: [1], over: client) == [1]) }
    let third = try await Async.connect(to: port)
    async let answer = Async.echo(of: [3], over: third)
    // Both are served while the third one waits.
    for client in first { #expect(try await Async.echo(of: [2], over: client) == [2]) }
    first[0].close()
    #expect(try await answer == [3])
    first[1].close()
    third.close()
    try await end()
  }

  @Test(arguments: Server.all)
  func `a client that never reads is held within the kernel's buffers and 64 KiB`(
    _ server: Server
  ) async throws {
    let listener = try Loopback.listener()
    let number = try Loopback.connection(to: Loopback.port(of: listener))
    let end = try server.begin(listener, 1)
    // As long as the server makes room. The limit says that it makes none any more.
    let sent = await blocking {
      let piece = [UInt8](repeating: 1, count: 65_536)
      var (sent, polled) = (0, pollfd(fd: number, events: Int16(POLLOUT), revents: 0))
      while sent < 1 << 27, poll(&polled, 1, 500) == 1 {
        sent += max(0, send(number, piece, piece.count, Int32(MSG_NOSIGNAL)))
      }
      return sent
    }
    // Each of the two sockets has two buffers.
    #expect(sent < 1 << 25)
    var left: [UInt8] = []
    #expect(try await receive(sent, number, into: &left) == sent)
    #expect(left.allSatisfy { $0 == 1 })
    close(number)
    try await end()
  }

  private func receive(_ count: Int, _ number: Int32, into bytes: inout [UInt8]) async throws -> Int
  {
    let connection = try Async.Connection(taking: dup(number), for: .reading)
    while bytes.count < count { bytes += try await connection.read() }
    return bytes.count
  }
}
