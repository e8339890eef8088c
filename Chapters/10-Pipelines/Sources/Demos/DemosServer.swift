import Foundation
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Demo {
  static let search = Demo(
    "search",
    asks: "The server fails twice and answers then. How does the search come to its end?",
    sides: [
      .before("two operations", .allowed(found), .forbidden("an error")) { transcript in
        try await searching(transcript) { request, report in
          let search = Linked.Search(
            transport: retrying(report), queue: OperationQueue(), report: report)
          return try await result { _ = search.load(request, then: $0) }.get()
        }
      }
      .code("ParseOperation.swift", "finish(with: fetch.result!"),
      .before(
        "two operations and an adapter", .allowed(found), .forbidden("an error")
      ) { transcript in
        try await searching(transcript) { request, report in
          let search = Adapted.Search(
            transport: retrying(report), queue: OperationQueue(), report: report)
          return try await result { _ = search.load(request, then: $0) }.get()
        }
      }
      .code("SearchAdapterOperation.swift", "let adapter"),
      .after("async functions", .allowed(found), .forbidden("an error")) { transcript in
        try await searching(transcript) { request, report in
          let transport = Async.RetryingTransport(
            transport: SessionTransport(silence: HTTPServer.patience), policy: policy,
            report: report)
          return try await Async.Search(transport: transport, report: report).load(request)
        }
      }
      .code("SearchAsync.swift", "let page"),
    ])

  static let closedConnection = Demo(
    "closed-connection",
    asks: "The search is cancelled while the server works on its answer. What does the server see?",
    sides: [
      .before(
        "an operation with a flag",
        .surprising("it answers, for nothing", "the request does not know of the flag"),
        .forbidden("a closed connection")
      ) { _ in
        try await cancelling { request, transport, told in
          let fetch = FlagOnly.FetchOperation(request, by: transport) { _ in told() }
          OperationQueue().addOperation(fetch)
          return { fetch.cancel() }
        } then: { server, answer in
          answer.open()
          await server.waitUntil(.answered(SearchServer.search))
        }
      }
      .code("FetchFlagOnly.swift", "if isCancelled"),
      .before(
        "an operation that cancels its request", .allowed("a closed connection"),
        .forbidden("it answers, for nothing")
      ) { _ in
        try await cancelling { request, transport, told in
          let fetch = FetchOperation(request, by: transport) { _ in told() }
          OperationQueue().addOperation(fetch)
          return { fetch.cancel() }
        } then: { server, _ in
          await server.waitUntil(.dropped(SearchServer.search))
        }
      }
      .code("FetchOperation.swift", "super.cancel()"),
      .after(
        "async function", .allowed("a closed connection"), .forbidden("it answers, for nothing")
      ) { _ in
        try await cancelling { request, transport, told in
          let task = Task {
            _ = try? await Async.Search(transport: transport).fetch(request)
            told()
          }
          return { task.cancel() }
        } then: { server, _ in
          await server.waitUntil(.dropped(SearchServer.search))
        }
      }
      .code("SessionTransportAsync.swift", "cancellation.cancel()"),
    ])
}

// MARK: A search

private let found = "chen/lantern, dora/pontoon, bo/kettle after 3 requests"

/// Delays that are short, and the same in each run.
private let policy = RetryPolicy(first: .milliseconds(10)) { 1 }

private func retrying(_ report: @escaping Report) -> CalledBack.RetryingTransport {
  CalledBack.RetryingTransport(
    transport: SessionTransport(silence: HTTPServer.patience), policy: policy,
    later: later(on: .global()), report: report)
}

private func searching(
  _ transcript: Transcript,
  _ load: @Sendable (URLRequest, @escaping Report) async throws -> [Repository]
) async throws -> String {
  try await SearchServer.run { server in
    let query = TrendingQuery(server: server.folder(of: .failsTwice), now: RepositoryCatalogue.day)
    let repositories = try await load(query.request) { transcript.say("\($0)") }
    let requests = server.log.count { $0 == .begun(SearchServer.search) }
    let names = repositories.map(\.fullName).joined(separator: ", ")
    return "\(names) after \(requests) requests"
  }
}

// MARK: A search that is cancelled

/// Begins a fetch, cancels it when the server has its request, and waits for what the server sees.
private func cancelling(
  _ begin:
    @Sendable (URLRequest, SessionTransport, _ told: @escaping @Sendable () -> Void) -> Cancel,
  then end: @Sendable (HTTPServer, _ answer: Gate) async -> Void
) async throws -> String {
  let (answer, isTold) = (Gate(), Gate())
  return try await HTTPServer.run { _ in
    await answer.wait()
    return .status(200)
  } during: { server in
    let request = URLRequest(url: server.url(of: SearchServer.search))
    let transport = SessionTransport(silence: HTTPServer.patience)
    let cancel = begin(request, transport) { isTold.open() }
    await server.waitUntil(.begun(SearchServer.search))
    cancel()
    await end(server, answer)
    answer.open()
    await isTold.wait()
    let isDropped = server.log.contains(.dropped(SearchServer.search))
    return isDropped ? "a closed connection" : "it answers, for nothing"
  }
}
