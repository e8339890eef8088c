import Foundation
import Testing
import Workbook

@testable import Pipelines

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// One table for both sides: what the server does, and what comes of it.
///
/// One after the other: on Linux, `URLSessionTask.cancel()` blocks its thread until another worker of Dispatch has come,
/// and beside dozens of others that takes seconds.
@Suite(.serialized, .timeLimit(.minutes(30))) struct MisbehaviourTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let behaviour: SearchServer.Behaviour
    let outcome: String
    /// How many requests the server sees.
    let requests: ClosedRange<Int>
    /// The delays between them, in seconds.
    let delays: [Double]
    /// Whether the server sees the connection close before its answer is over.
    var isDropped = false

    var testDescription: String { behaviour.rawValue }
  }

  static let found = "chen/lantern dora/pontoon bo/kettle"
  static let table = [
    Row(behaviour: .right, outcome: found, requests: 1...1, delays: []),
    Row(
      behaviour: .slow, outcome: "fetch: not within 30.0 seconds", requests: 1...1, delays: [],
      isDropped: true),
    Row(
      behaviour: .cut, outcome: "fetch: connection", requests: 4...4, delays: [0.5, 1, 2]),
    Row(
      behaviour: .wrongLength, outcome: "fetch: connection", requests: 4...4, delays: [0.5, 1, 2]),
    Row(behaviour: .malformed, outcome: "parse: no JSON", requests: 1...1, delays: []),
    Row(behaviour: .tooManyRequests, outcome: found, requests: 2...2, delays: [7]),
    Row(behaviour: .failsTwice, outcome: found, requests: 3...3, delays: [0.5, 1]),
    // How many redirects are too many is up to the system.
    Row(
      behaviour: .redirectLoop, outcome: "fetch: too many redirects", requests: 2...30, delays: []),
    Row(
      behaviour: .endless, outcome: "fetch: more than 1000000 bytes", requests: 1...1, delays: [],
      isDropped: true),
  ]

  @Test(arguments: Form.all, table)
  func `whatever the server does, all forms come to the same`(
    _ form: Form, _ row: Row
  ) async throws {
    try await Self.expect(row, of: form)
  }

  static func expect(_ row: Row, of form: Form) async throws {
    try await SearchServer.run { server in
      let client = Client()
      let query = TrendingQuery(
        server: server.folder(of: row.behaviour), now: RepositoryCatalogue.day)
      async let loaded = form.load(client, query.request)
      if row.behaviour == .slow {
        await server.waitUntil(.begun(SearchServer.search))
        await client.limit.waitForSleepers(1)
        client.limit.advance(by: .seconds(30))
      }
      let result = await loaded
      #expect(short(result) == row.outcome)
      if case .failure(let error as SearchError) = result {
        #expect(error.url == query.request.url)
      }
      #expect(client.delays.sleeps == row.delays.map { .seconds($0) })
      if row.isDropped { await server.waitUntil(.dropped(SearchServer.search)) }
      let requests = server.log.count { $0 == .begun(SearchServer.search) }
      #expect(row.requests.contains(requests), "\(requests) requests")
      let dropped = server.log.count { $0 == .dropped(SearchServer.search) }
      #expect(dropped == (row.isDropped ? 1 : 0))
    }
  }

  @Test func `every misbehaviour of the server has a row`() {
    #expect(Set(Self.table.map(\.behaviour)) == Set(SearchServer.Behaviour.allCases))
  }

  #if os(Linux)
    @Test func `the table leaves no connection and no thread`() async {
      // A process of its own: nothing else opens anything meanwhile.
      await #expect(processExitsWith: .success) {
        try await SearchServer.run { _ in
          let connections = try opened()[0]
          #expect(connections > 0)
        }
        var before: [Int] = []
        for _ in 0..<3 {
          for form in Form.all {
            for row in MisbehaviourTests.table { try await MisbehaviourTests.expect(row, of: form) }
          }
          if before.isEmpty { before = try opened() }
          // A session closes its connections some time after it is let go, and Dispatch keeps idle workers for some
          // seconds. A server's thread that stayed would be one for each run.
          let most = [before[0], before[1] + MisbehaviourTests.table.count]
          let guardAgainstHanging = ContinuousClock.now + .seconds(60)
          var now = try opened()
          while zip(now, most).contains(where: >), ContinuousClock.now < guardAgainstHanging {
            try await Task.sleep(for: .milliseconds(10))
            now = try opened()
          }
          #expect(!zip(now, most).contains(where: >), "connections and threads: \(now), \(most)")
        }
      }
    }

    @Test func `a server that never stops, at full speed, takes little memory`() async {
      // A process of its own: nothing else takes memory meanwhile.
      await #expect(processExitsWith: .success) {
        let before = try peak()
        for _ in 0..<5 {
          for form in Form.all {
            let chunk = Data(repeating: UInt8(ascii: " "), count: 64_000)
            try await HTTPServer.run { _ in
              .endless(chunk, pause: .zero)
            } during: { server in
              let told = await form.load(Client(), URLRequest(url: server.url(of: "repositories")))
              #expect(short(told) == "fetch: more than 1000000 bytes")
            }
          }
        }
        #expect(try peak() < before + 300_000)
      }
    }

    @Test func `at the limit the caller is told, and what comes behind it is not kept`() async {
      await #expect(processExitsWith: .success) {
        let (receipts, told) = (Receipts(largest: 1_000_000), Transcript())
        let task = URLSession.shared.dataTask(with: URL(string: "http://127.0.0.1/")!)
        receipts.expect(task) { told.say("\($0)") }
        let before = try peak()
        for number in 0..<5_000 {
          // Bytes of its own, so that keeping it takes memory.
          let chunk = Data(repeating: UInt8(truncatingIfNeeded: number), count: 64_000)
          receipts.urlSession(.shared, dataTask: task, didReceive: chunk)
        }
        #expect(told.steps.count == 1)
        #expect(try peak() < before + 100_000)
      }
    }
  #endif
}

#if os(Linux)
  /// How many TCP sockets and threads the process has.
  ///
  /// The pairs of local sockets by which a `URLSession` wakes itself are not counted: Foundation leaves one now and then.
  private func opened() throws -> [Int] {
    let files = FileManager.default
    let tcp = try ["tcp", "tcp6"].map {
      try String(contentsOfFile: "/proc/self/net/\($0)", encoding: .utf8)
    }
    // The tenth column of these tables is the number of the socket.
    let numbers = Set(
      tcp.joined().split(separator: "\n").compactMap { $0.split(separator: " ").dropFirst(9).first }
    )
    let connections = try files.contentsOfDirectory(atPath: "/proc/self/fd").count {
      let target = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
      return target?.wholeMatch(of: /socket:\[(\d+)\]/).map { numbers.contains($0.1) } ?? false
    }
    return [connections, try files.contentsOfDirectory(atPath: "/proc/self/task").count]
  }

  /// The most memory that the process has had, in kilobytes.
  private func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    return status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
  }
#endif
