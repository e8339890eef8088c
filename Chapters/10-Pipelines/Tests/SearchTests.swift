import Foundation
import Testing
import Workbook

@testable import Pipelines

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// What a search keeps besides the table: who is told when it is cancelled, what is asked, and what is left.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SearchTests {
  // MARK: Cancelling

  @Test(arguments: Form.all)
  func `a search that is cancelled in flight is told, and its connection closes`(
    _ form: Form
  ) async throws {
    try await SearchServer.run { server in
      let client = Client()
      let request = TrendingQuery(server: server.folder(of: .slow)).request
      let search = Cancellation()
      async let told = result { search.begun(form.begin(client, request.patient, $0)) }
      await server.waitUntil(.begun(SearchServer.search))
      search.cancel()
      #expect(short(await told) == "cancelled")
      await server.waitUntil(.dropped(SearchServer.search))
    }
  }

  @Test(arguments: Form.all)
  func `a search that is cancelled in a delay is told, and asks no more`(_ form: Form) async throws
  {
    try await SearchServer.run { server in
      let client = Client(isQuick: false)
      let request = TrendingQuery(server: server.folder(of: .cut)).request
      let search = Cancellation()
      async let told = result { search.begun(form.begin(client, request.patient, $0)) }
      await client.pausing.waitForSleepers(1)
      search.cancel()
      #expect(short(await told) == "cancelled")
      client.pausing.advance(by: .seconds(3_600))
      // A search that is as fast as one that should not be there.
      let other = TrendingQuery(server: server.folder(of: .right)).request
      _ = await form.load(Client(), other)
      #expect(server.log.count { $0 == .begun(SearchServer.search) } == 2)
    }
  }

  @Test(arguments: Form.all)
  func `a limit that is over in a delay is told`(_ form: Form) async throws {
    try await SearchServer.run { server in
      let client = Client(isQuick: false)
      let request = TrendingQuery(server: server.folder(of: .cut)).request
      async let told = form.load(client, request)
      await client.pausing.waitForSleepers(1)
      await client.limit.waitForSleepers(1)
      client.limit.advance(by: .seconds(30))
      #expect(short(await told) == "fetch: not within 30.0 seconds")
    }
  }

  @Test(arguments: ["linked", "adapted"])
  func `operations that are cancelled before they begin tell it, and send nothing`(
    _ form: String
  ) async {
    let (network, queue) = (Network(.page), OperationQueue())
    queue.isSuspended = true
    let told = await result { completion in
      if form == "linked" {
        Linked.Search(transport: network, queue: queue).load(.search, then: completion)
      } else {
        Adapted.Search(transport: network, queue: queue).load(.search, then: completion)
      }
      let operations = queue.operations
      queue.cancelAllOperations()
      // On Linux, an operation uses those that depend on it when it ends. One that is cancelled may be gone by then.
      queue.addBarrierBlock { withExtendedLifetime(operations) {} }
      queue.isSuspended = false
    }
    #expect(short(told) == "cancelled")
    #expect(network.requests == 0)
  }

  @Test func `the first result of an operation counts`() throws {
    let told = Transcript()
    let operation = ResultOperation<Int> { told.say("\($0)") }
    operation.finish(with: .success(1))
    operation.finish(with: .success(2))
    #expect(told.steps == ["success(1)"])
    #expect(operation.isFinished)
    #expect(try operation.result?.get() == 1)
  }

  @Test(arguments: ["linked", "adapted"])
  func `operations are gone when the caller has been told`(_ form: String) async {
    let (isGone, queue) = (Gate(), OperationQueue())
    let told = await result { completion in
      let transport = Mortal(Network(.page), whenGone: isGone)
      if form == "linked" {
        Linked.Search(transport: transport, queue: queue).load(.search, then: completion)
      } else {
        Adapted.Search(transport: transport, queue: queue).load(.search, then: completion)
      }
    }
    #expect(short(told) == "a/one b/two")
    await isGone.wait()
  }

  // MARK: Asking again

  @Test func `delays double up to the longest, and jitter takes up to half of each`() {
    let (calm, hasty) = (
      RetryPolicy(attempts: 9, longest: .seconds(3)) { 1 },
      RetryPolicy(attempts: 9, longest: .seconds(3)) { 0 }
    )
    let delays = { (policy: RetryPolicy) in
      (1...5).map { policy.delay(after: .lost, to: .search, attempt: $0) }
    }
    #expect(delays(calm) == [0.5, 1, 2, 3, 3].map { .seconds($0) })
    #expect(delays(hasty) == [0.25, 0.5, 1, 1.5, 1.5].map { .seconds($0) })
    let drawn = (0..<100).map { _ in RetryPolicy().delay(after: .lost, to: .search, attempt: 1)! }
    #expect(drawn.allSatisfy { (.milliseconds(250)...(.milliseconds(500))).contains($0) })
    #expect(Set(drawn).count > 50)
  }

  @Test func `what does not pass is not asked for again`() {
    func delay(after result: Result<Response, any Error>, attempt: Int = 1) -> Duration? {
      RetryPolicy().delay(after: result, to: .search, attempt: attempt)
    }
    for status in [200, 301, 400, 401, 403, 404, 501] {
      #expect(delay(after: .success(Response(status: status))) == nil)
    }
    for status in [429, 500, 502, 503, 504] {
      #expect(delay(after: .success(Response(status: status))) != nil)
      #expect(delay(after: .success(Response(status: status)), attempt: 4) == nil)
    }
    let failures: [any Error] = [
      CancellationError(), TransportError.tooManyRedirects, TransportError.tooLarge(limit: 1),
      TransportError.timedOut(after: .seconds(1)), TransportError.refused(URLError(.badURL)),
    ]
    for failure in failures { #expect(delay(after: .failure(failure)) == nil) }
  }

  @Test func `what may change something is not sent again`() {
    var request = URLRequest.search
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
      request.httpMethod = method
      #expect(RetryPolicy().delay(after: .lost, to: request, attempt: 1) == nil)
    }
    request.httpMethod = "HEAD"
    #expect(RetryPolicy().delay(after: .lost, to: request, attempt: 1) != nil)
  }

  @Test func `the server's own delay is kept, without jitter, unless it is too long`() {
    func delay(after seconds: Int) -> Duration? {
      let response = Response(status: 503, retryAfter: .seconds(seconds))
      return RetryPolicy().delay(after: .success(response), to: .search, attempt: 1)
    }
    #expect(delay(after: 0) == .zero)
    #expect(delay(after: 30) == .seconds(30))
    #expect(delay(after: 31) == nil)
  }

  @Test(arguments: Form.all)
  func `a request that cannot be sent is not sent again`(_ form: Form) async throws {
    let (client, url) = (Client(), try #require(URL(string: "nonsense://a/")))
    guard case .failure(let error as SearchError) = await form.load(client, URLRequest(url: url)),
      case TransportError.refused = error.cause
    else {
      Issue.record("it is refused")
      return
    }
    #expect(client.delays.sleeps == [])
  }

  @Test func `the page is said to be there if it is`() async {
    for (answer, said) in [(.page, ["the page is there"]), (.lost, [])]
      as [(Result<Response, any Error>, [String])]
    {
      let network = Network(answer)
      let (linked, adapted, awaited) = (Transcript(), Transcript(), Transcript())
      _ = await result {
        Linked.Search(transport: network, queue: OperationQueue()) { linked.say("\($0)") }
          .load(.search, then: $0)
      }
      _ = await result {
        Adapted.Search(transport: network, queue: OperationQueue()) { adapted.say("\($0)") }
          .load(.search, then: $0)
      }
      _ = try? await Async.Search(transport: network) { awaited.say("\($0)") }.load(.search)
      #expect(linked.steps == said)
      #expect(adapted.steps == said)
      #expect(awaited.steps == said)
    }
  }

  @Test(arguments: ["-7", "9223372036854775807", "soon"])
  func `a delay of the server that makes no sense is none`(_ field: String) async throws {
    let fields = ["Retry-After": field]
    try await HTTPServer.run { _ in
      .status(429, fields)
    } during: { server in
      let request = URLRequest(url: server.url(of: "repositories"))
      for form in Form.all {
        let client = Client()
        #expect(short(await form.load(client, request)) == "fetch: StatusError(status: 429)")
        #expect(client.delays.sleeps == [0.5, 1, 2].map { .seconds($0) })
      }
    }
  }

  @Test func `a server that is silent for too long is given up`() async throws {
    let answer = Gate()
    try await HTTPServer.run { _ in
      await answer.wait()
      return .status(200)
    } during: { server in
      let transport = SessionTransport(silence: 1)
      await #expect(throws: TransportError.self) {
        _ = try await transport.send(URLRequest(url: server.url(of: "repositories")))
      }
      answer.open()
    }
  }

  // MARK: The query

  @Test func `the query asks for the last week, the most stars first`() throws {
    let server = try #require(URL(string: "http://127.0.0.1:8080/api"))
    let request = TrendingQuery(server: server, now: RepositoryCatalogue.day).request
    let url = try #require(request.url)
    let components = try #require(URLComponents(url: url, resolvingAgainstBaseURL: false))
    #expect(components.path == "/api/search/repositories")
    #expect(
      components.queryItems == [
        URLQueryItem(name: "q", value: "created:>=2026-03-01"),
        URLQueryItem(name: "sort", value: "stars"), URLQueryItem(name: "order", value: "desc"),
      ])
  }

  @Test func `a page is read with all its fields`() async throws {
    try await SearchServer.run { server in
      let request = TrendingQuery(
        server: server.folder(of: .right), now: RepositoryCatalogue.day
      ).request
      let repositories = try await Form.all[0].load(Client(), request).get()
      let avatar = try #require(URL(string: "http://127.0.0.1/chen.png"))
      #expect(
        repositories.first
          == Repository(
            fullName: "chen/lantern", owner: .init(login: "chen", avatarUrl: avatar),
            stargazersCount: 310, language: "Swift"))
      #expect(repositories.map(\.stargazersCount) == [310, 120, 70])
      #expect(repositories.last?.language == nil)
    }
  }
}

/// A network that says when nobody keeps it any more.
private final class Mortal: CallbackTransport {
  private let network: Network
  private let isGone: Gate

  init(_ network: Network, whenGone isGone: Gate) {
    self.network = network
    self.isGone = isGone
  }

  deinit { isGone.open() }

  func send(_ request: URLRequest, then completion: @escaping Completion<Response>) -> Cancel {
    network.send(request, then: completion)
  }
}
