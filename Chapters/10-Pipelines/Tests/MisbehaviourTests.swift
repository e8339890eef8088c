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
    @Test func `the table leaves no descriptor and no thread`() async {
      // A process of its own: nothing else opens anything meanwhile.
      await #expect(processExitsWith: .success) {
        var before: [Int] = []
        for _ in 0..<3 {
          for form in Form.all {
            for row in MisbehaviourTests.table { try await MisbehaviourTests.expect(row, of: form) }
          }
          // A session closes its connections some time after it is let go.
          var now = try opened()
          for _ in 0..<500 where !before.isEmpty && now[0] > before[0] {
            try await Task.sleep(for: .milliseconds(10))
            now = try opened()
          }
          if before.isEmpty { before = now }
          #expect(now[0] <= before[0])
          // Workers of Dispatch come and go; a server's thread that stayed would be one a run.
          #expect(now[1] < before[1] + MisbehaviourTests.table.count)
        }
      }
    }

    @Test func `what comes behind the limit is not kept`() async {
      await #expect(processExitsWith: .success) {
        let receipts = Receipts(largest: 1_000_000)
        let task = URLSession.shared.dataTask(with: URL(string: "http://127.0.0.1/")!)
        receipts.expect(task) { _ in }
        let before = try peak()
        for number in 0..<5_000 {
          // Bytes of its own, so that keeping it takes memory.
          let chunk = Data(repeating: UInt8(truncatingIfNeeded: number), count: 64_000)
          receipts.urlSession(.shared, dataTask: task, didReceive: chunk)
        }
        #expect(try peak() < before + 100_000)
      }
    }
  #endif
}

#if os(Linux)
  /// How many descriptors and threads the process has.
  private func opened() throws -> [Int] {
    try ["fd", "task"].map {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\($0)").count
    }
  }

  /// The most memory that the process has had, in kilobytes.
  private func peak() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    return status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) } ?? 0
  }
#endif
