import ChapterTesting
import Foundation
import Synchronization
import Testing
import Workbook

@testable import Descriptors

@Suite(.serialized, .timeLimit(.minutes(30)), whereHangUpsAreSafe)
struct DuplexTests {
  @Test func `a megabyte goes each way at once, on sources and tasks`() async throws {
    let bytes = (0..<1 << 20).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let (near, far) = socketPair()
    let queue = DispatchQueue(label: "client")
    let results = Deliveries<Result<[UInt8], any Error>>()
    let client = Mutex<Sourced.Connection?>(nil)
    queue.async {
      let connection = try? Sourced.EchoClient.send(bytes, over: near, queue: queue) {
        results.append($0)
      }
      client.withLock { $0 = connection }
    }
    let connection = try Async.Connection(taking: far)
    #expect(try await Async.echo(of: bytes, over: connection) == bytes)
    #expect(try await results.wait(count: 1)[0].get() == bytes)
    client.withLock { $0 = nil }
  }

  @Test func `a write that nobody reads is an error, without a signal`() async throws {
    let (near, far) = socketPair()
    close(far)
    let connection = try Async.Connection(taking: near)
    let error = await #expect(throws: DescriptorError.self) { try await connection.write([1]) }
    #expect(
      error?.description
        == "write of descriptor \(error?.descriptor ?? -1): Broken pipe (error 32); "
        + "nobody reads any more; open another connection")
  }

  @Test func `one that is closed lets its reader and its writer go on`() async throws {
    let (near, far) = socketPair()
    defer { close(far) }
    let connection = try Async.Connection(taking: near)
    async let read = connection.read()
    let writer = Task { try await connection.write([UInt8](repeating: 1, count: 1 << 20)) }
    // The kernel has taken what it holds, and the writer waits.
    await blocking {
      var polled = pollfd(fd: far, events: Int16(POLLIN), revents: 0)
      poll(&polled, 1, 600_000)
    }
    connection.close()
    #expect(try await read == [])
    await #expect(throws: DescriptorError.self) { try await writer.value }
    await #expect(throws: DescriptorError.self) { try await connection.write([1]) }
    #expect(try await connection.read() == [])
  }

  @Test func `one that is cancelled takes nothing from the next one, which waits already`()
    async throws
  {
    for _ in 0..<500 {
      let (near, far) = socketPair()
      let connection = try Async.Connection(taking: near, for: .reading)
      let first = Task { try await connection.read() }
      first.cancel()
      let second = Task { try await connection.read() }
      sendAll([1], to: far)
      if case .failure(let error) = await first.result {
        #expect(error is CancellationError)
        #expect(try await second.value == [1])
      } else {
        connection.close()
        #expect(try await second.value == [])
      }
      close(far)
    }
  }

  @Test func `a write that comes after the end does not keep it`() async throws {
    let (near, far) = socketPair()
    defer { close(far) }
    let queue = DispatchQueue(label: "late")
    let over = Deliveries<(any Error)?>()
    let connection = try Sourced.Connection(
      taking: near, queue: queue, whenRead: { _, _ in }, whenOver: { over.append($0) })
    queue.async {
      // More than there is room for, so there is a write source.
      connection.write([UInt8](repeating: 1, count: 1 << 20))
      connection.end(with: nil)
      connection.write([1])
    }
    #expect(await over.wait(count: 1)[0] == nil)
    withExtendedLifetime(connection) {}
  }

  @Test func `an empty message has an empty answer`() async throws {
    let (near, far) = socketPair()
    defer { close(far) }
    let queue = DispatchQueue(label: "client")
    let results = Deliveries<Result<[UInt8], any Error>>()
    let client = Mutex<Sourced.Connection?>(nil)
    queue.async {
      let connection = try? Sourced.EchoClient.send([], over: near, queue: queue) {
        results.append($0)
      }
      client.withLock { $0 = connection }
    }
    #expect(try await results.wait(count: 1)[0].get() == [])
    client.withLock { $0 = nil }
  }

  @Test func `a pipe for writing is written, and refuses nothing but to be read`() async throws {
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    let connection = try Async.Connection(taking: ends[1], for: .writing)
    #expect(try await connection.read() == [])
    let bytes = [UInt8](repeating: 5, count: 300_000)
    let reader = Task { [near = ends[0]] in
      await blocking { receiveFromPipe(near) }
    }
    try await connection.write(bytes)
    connection.close()
    #expect(await reader.value == bytes)
    #expect(throws: DescriptorError.self) {
      _ = try Async.Connection(taking: ends[0], for: .both)
    }
    close(ends[0])
  }

  @Test func `who connects where nobody listens is refused`() async throws {
    let listener = try Loopback.listener()
    let port = Loopback.port(of: listener)
    close(listener)
    let error = await #expect(throws: DescriptorError.self) {
      _ = try await Async.connect(to: port)
    }
    #expect(error?.code == ECONNREFUSED)
    let results = Deliveries<Result<Int32, any Error>>()
    let connecting = try Sourced.Connecting(to: port, queue: DispatchQueue(label: "client")) {
      results.append($0)
    }
    let result = await results.wait(count: 1)[0]
    #expect(throws: DescriptorError.self) { try result.get() }
    withExtendedLifetime(connecting) {}
  }
}

private func receiveFromPipe(_ descriptor: Int32) -> [UInt8] {
  var all: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = read(descriptor, &piece, piece.count)
    guard count > 0 else { return all }
    all += piece.prefix(count)
  }
}
