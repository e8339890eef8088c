import Foundation
import Testing
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.timeLimit(.minutes(30))) struct PhotoServerTests {
  private struct NoSuchPhoto: Error {}

  /// A session that opens as many connections as it has requests, and keeps nothing.
  private static func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpMaximumConnectionsPerHost = 100
    configuration.timeoutIntervalForRequest = HTTPServer.patience
    return URLSession(configuration: configuration)
  }

  private let session = Self.session()

  private func status(_ response: URLResponse) -> Int? {
    (response as? HTTPURLResponse)?.statusCode
  }

  @Test(arguments: ["sea", "two words", "a/b?c#d;e%20", "Åre ☀️", ""])
  func `an answer's bytes come back under its name`(_ name: String) async throws {
    let photo = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
    let log = try await PhotoServer.run {
      Data($0.utf8) + photo
    } during: { server in
      let (data, response) = try await session.data(from: server.url(of: name))
      #expect(data == Data(name.utf8) + photo)
      #expect(status(response) == 200)
      return server.log
    }
    #expect(log == [.begun(name), .answered(name)])
  }

  @Test func `answers come in the order in which their gates open`() async throws {
    let gates = ["sea": Gate(), "hill": Gate(), "town": Gate()]
    let log = try await PhotoServer.run { name in
      await gates[name]!.wait()
      return Data(name.utf8)
    } during: { server in
      try await withThrowingTaskGroup { group in
        for name in ["sea", "hill", "town"] {
          group.addTask { _ = try await session.data(from: server.url(of: name)) }
          await server.waitUntil(.begun(name))
        }
        for name in ["town", "hill", "sea"] {
          gates[name]!.open()
          await server.waitUntil(.answered(name))
        }
        try await group.waitForAll()
      }
      return server.log
    }
    #expect(
      log == [
        .begun("sea"), .begun("hill"), .begun("town"), .answered("town"), .answered("hill"),
        .answered("sea"),
      ])
  }

  @Test func `an answer that throws is 404 with no bytes`() async throws {
    try await PhotoServer.run { _ in
      throw NoSuchPhoto()
    } during: { server in
      let (data, response) = try await session.data(from: server.url(of: "sea"))
      #expect(status(response) == 404)
      #expect(data.isEmpty)
      #expect(server.log == [.begun("sea"), .answered("sea")])
    }
  }

  @Test func `a client that goes is seen while the gate is closed`() async throws {
    let (gate, cancelled) = (Gate(), Gate())
    try await PhotoServer.run { name in
      await withTaskCancellationHandler {
        await gate.wait()
      } onCancel: {
        cancelled.open()
      }
      return Data(name.utf8)
    } during: { server in
      let loading = Task { try await session.data(from: server.url(of: "sea")) }
      await server.waitUntil(.begun("sea"))
      loading.cancel()
      await server.waitUntil(.dropped("sea"))
      await cancelled.wait()
      let error = await #expect(throws: URLError.self) { try await loading.value }
      #expect(error?.code == .cancelled)
      gate.open()
      _ = try await session.data(from: server.url(of: "hill"))
      #expect(
        server.log == [.begun("sea"), .dropped("sea"), .begun("hill"), .answered("hill")])
    }
  }

  @Test func `fifty requests are answered at once`() async throws {
    let gate = Gate()
    let names = (1...50).map { "photo \($0)" }
    try await PhotoServer.run { name in
      await gate.wait()
      return Data(name.utf8)
    } during: { server in
      try await withThrowingTaskGroup(of: Bool.self) { group in
        for name in names {
          group.addTask {
            try await session.data(from: server.url(of: name)).0 == Data(name.utf8)
          }
        }
        for name in names { await server.waitUntil(.begun(name)) }
        gate.open()
        for try await isRight in group { #expect(isRight) }
      }
      #expect(Set(server.log.dropFirst(50)) == Set(names.map { .answered($0) }))
    }
  }

  @Test(arguments: [
    "rubbish\r\n", "GET\r\n", "POST /sea HTTP/1.1\r\n\r\n", "GET sea HTTP/1.1\r\n\r\n",
    "GET /sea HTTP/3\r\n\r\n", "GET /%FF HTTP/1.1\r\n\r\n", "GET /a b HTTP/1.1\r\n\r\n",
    "GET /sea HTTP/1.1\r\n" + String(repeating: "x", count: 17_000),
  ])
  func `a malformed request is 400`(_ request: String) async throws {
    try await PhotoServer.run {
      Data($0.utf8)
    } during: { server in
      let response = await exchange(request, port: server.port)
      #expect(response.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
      #expect(response.hasSuffix("Content-Length: 0\r\nConnection: close\r\n\r\n"))
      #expect(server.log == [])
    }
  }

  @Test func `an error of the body ends the server, and is thrown`() async throws {
    let cancelled = Gate()
    await #expect(throws: NoSuchPhoto.self) {
      try await PhotoServer.run { _ in
        try await withTaskCancellationHandler {
          try await VirtualClock().sleep(for: .seconds(1))
        } onCancel: {
          cancelled.open()
        }
        return Data()
      } during: { server in
        Task { try await session.data(from: server.url(of: "sea")) }
        await server.waitUntil(.begun("sea"))
        throw NoSuchPhoto()
      }
    }
    await cancelled.wait()
  }

  @Test func `a wait ends with its task, and with the server`() async throws {
    let server = try await PhotoServer.run {
      Data($0.utf8)
    } during: { server in
      let waiting = Task { await server.waitUntil(.begun("sea")) }
      let cancelled = Task.immediate { await server.waitUntil(.begun("sea")) }
      waiting.cancel()
      cancelled.cancel()
      await waiting.value
      await cancelled.value
      _ = try await session.data(from: server.url(of: "sea"))
      let again = Task.immediate { await server.waitUntil(.begun("sea"), times: 2) }
      _ = try await session.data(from: server.url(of: "sea"))
      await again.value
      return server
    }
    await server.waitUntil(.begun("hill"))
  }

  #if os(Linux)
    @Test func `forty runs leave no descriptor and no thread`() async {
      // A process of its own: nothing else opens anything meanwhile.
      await #expect(processExitsWith: .success) {
        let gate = Gate()
        var before: [Int] = []
        for _ in 0...40 {
          try await PhotoServer.run { name in
            if name == "held" { await gate.wait() }
            return Data(name.utf8)
          } during: { server in
            let response = await exchange("GET /sea HTTP/1.1\r\n\r\n", port: server.port)
            #expect(response.hasSuffix("\r\n\r\nsea"))
            let held = Connection(to: server.port)
            held.send("GET /held HTTP/1.1\r\n\r\n")
            await server.waitUntil(.begun("held"))
            withExtendedLifetime(held) {}
          }
          if before.isEmpty { before = try countOfDescriptorsAndThreads() }
        }
        // The runtime's own threads come when they are needed, and Dispatch opens what it counts them by. One left a run
        // would be 40.
        for (before, after) in zip(before, try countOfDescriptorsAndThreads()) {
          #expect(after - before < 30)
        }
        gate.open()
      }
    }
  #endif
}

private func countOfDescriptorsAndThreads() throws -> [Int] {
  try ["fd", "task"].map {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count
  }
}

/// What a server says to some bytes, until it closes.
private func exchange(_ request: String, port: Int) async -> String {
  await blocking {
    let connection = Connection(to: port)
    connection.send(request)
    return connection.response()
  }
}

/// A client without URLSession, which blocks.
private final class Connection: Sendable {
  private let socket: Int32

  init(to port: Int) {
    #if canImport(Darwin)
      socket = Foundation.socket(AF_INET, SOCK_STREAM, 0)  // untested
    #else
      socket = Foundation.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    precondition(result == 0)
  }

  deinit { close(socket) }

  func send(_ text: String) {
    let bytes = Array(text.utf8)
    precondition(Foundation.send(socket, bytes, bytes.count, 0) == bytes.count)
  }

  func response() -> String {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(socket, &buffer, buffer.count)
      if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
      bytes += buffer.prefix(count)
    }
  }
}
