import Foundation
import Synchronization
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Subject {
  static let lostError = Subject(
    "lost-error",
    asks: "The connection is lost while the page is fetched. What is the caller told?",
    right: .allowed("fetch: no connection"), .forbidden("cancelled"),
    implementations: [
      .before(
        "completion block, silent parse",
        .surprising("0 repositories", "a parse without a page finds nothing, and gives no reason")
      ) { _ in
        await told(
          result {
            HandedOver.Search(transport: Network(.lost), queue: queue(width: 2))
              .load(.search, then: $0)
          })
      }
      .code("ParseSilently.swift", "guard let page")
      .alwaysWrong,
      .before(
        "adapter operation, silent parse",
        .surprising("0 repositories", "the page is handed over, and the error is not")
      ) { _ in
        await told(
          result {
            Silent.Search(transport: Network(.lost), queue: queue(width: 2))
              .load(.search, then: $0)
          })
      }
      .code("SearchSilent.swift", "let adapter")
      .alwaysWrong,
      .before("adapter operation") { _ in
        await adapted(.lost, width: 2)
      }
      .code("SearchAdapterOperation.swift", "finish(with: page.flatMap"),
      .before("result of the dependency") { _ in
        await linked(.lost, width: 2)
      }
      .code("ParseOperation.swift", "finish(with: fetch.result!"),
      .after("async functions") { _ in
        await awaited(.lost)
      }
      .code("FetchAsync.swift", "throw SearchError"),
    ])

  static let cancelAll = Subject(
    "cancel-all",
    asks: "A queue is cancelled before its search has begun. What is the caller told?",
    right: .allowed("cancelled"), .forbidden("2 repositories"),
    implementations: [
      .before(
        "silent parse", .deadlock("a parse that is cancelled does not run, so it tells nobody")
      ) { stage in
        let queue = queue(width: 2)
        stage.aboutToBlock("a caller that nobody calls back")
        let repositories = await result { completion in
          queue.isSuspended = true
          HandedOver.Search(transport: Network(.page), queue: queue)
            .load(.search, then: completion)
          queue.cancelAllOperations()
          queue.isSuspended = false
        }
        return told(repositories)
      }
      .code("ParseSilently.swift", "override func main()")
      .alwaysWrong
      .found("scenario waits for a continuation"),
      .before("result of the dependency") { _ in
        let queue = queue(width: 2)
        return await told(
          result { completion in
            queue.isSuspended = true
            Linked.Search(transport: Network(.page), queue: queue)
              .load(.search, then: completion)
            queue.cancelAllOperations()
            queue.isSuspended = false
          })
      }
      .code("ResultOperations.swift", "if isCancelled"),
      .after("async functions") { _ in
        let search = Async.Search(transport: Network(.page))
        let begins = Gate()
        let task = Task {
          await begins.wait()
          return await told { try await search.load(.search) }
        }
        task.cancel()
        begins.open()
        return await task.value
      }
      .code("FetchAsync.swift", "catch let error as CancellationError"),
    ])

  static let cancelOrAnswer = Subject(
    "cancel-or-answer",
    asks: "A fetch is cancelled as its answer comes in. What is the caller told?",
    right: .allowed("page"), .allowed("cancelled"),
    implementations: [
      .before(
        "looks, and then ends",
        .surprising("cancelled, page", "both look before either has ended"),
        .surprising("page, cancelled", "the same, and the answer was first"),
        .allowed("page"), .allowed("cancelled")
      ) { _ in
        let told = Told()
        let fetch = EndingTwice.FetchOperation(.search, by: Network(.page), then: told.note)
        fetch.start()
        fetch.cancel()
        fetch.waitUntilFinished()
        return told.words
      }
      .code("FetchEndingTwice.swift", "if isFinished")
      .notPlayed("which comes first is up to the network"),
      .before("the first result counts") { _ in
        let told = Told()
        let fetch = FetchOperation(.search, by: Network(.page), then: told.note)
        fetch.start()
        fetch.cancel()
        fetch.waitUntilFinished()
        return told.words
      }
      .code("ResultOperations.swift", "let isFirst")
      .notPlayed("which comes first is up to the network"),
      .after("async function") { _ in
        let search = Async.Search(transport: Network(.page))
        let task = Task { _ = try await search.fetch(.search) }
        task.cancel()
        do {
          try await task.value
          return "page"
        } catch { return error is CancellationError ? "cancelled" : "\(error)" }
      }
      .code("FetchAsync.swift", "return try await transport")
      .notPlayed("which comes first is up to the pool"),
    ])
}

/// What a caller is told, one after the other.
private final class Told: Sendable {
  private let results = Mutex<[String]>([])

  @Sendable func note(_ result: Result<Data, any Error>) {
    let word: String
    switch result {
    case .success: word = "page"
    case .failure(let error): word = error is CancellationError ? "cancelled" : "\(error)"
    }
    results.withLock { $0.append(word) }
  }

  var words: String { results.withLock { $0 }.joined(separator: ", ") }
}
