import Foundation
import Workbook

extension Subject {
  static let lostError = Subject(
    "lost-error",
    asks: "The connection is lost while the page is fetched. What is the caller told?",
    right: .allowed("fetch: no connection"), .forbidden("cancelled"),
    implementations: [
      .before(
        "completion block, silent parse",
        .surprising("0 repositories", "a parse without a page finds nothing, and says so")
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
        await told(
          result {
            _ = Adapted.Search(transport: Network(.lost), queue: queue(width: 2))
              .load(.search, then: $0)
          })
      }
      .code("SearchAdapterOperation.swift", "finish(with: page.flatMap"),
      .before("result of the dependency") { _ in
        await told(
          result {
            _ = Linked.Search(transport: Network(.lost), queue: queue(width: 2))
              .load(.search, then: $0)
          })
      }
      .code("ParseOperation.swift", "finish(with: fetch.result!"),
      .after("async functions") { _ in
        await told { try await Async.Search(transport: Network(.lost)).load(.search) }
      }
      .code("FetchAsync.swift", "throw SearchError"),
    ])

  static let cancelAll = Subject(
    "cancel-all",
    asks: "All operations of the queue are cancelled while a search runs. What is its caller told?",
    right: .allowed("2 repositories"), .allowed("cancelled"), .forbidden("0 repositories"),
    implementations: [
      .before(
        "silent parse",
        .deadlock("a parse that is cancelled does not run, so it tells nobody"),
        .surprising("0 repositories", "the fetch was cancelled, and nobody says so").onlyExplored,
        .allowed("2 repositories", "it was over before").onlyExplored
      ) { stage in
        let queue = queue(width: 2)
        stage.aboutToBlock("a caller that nobody calls back")
        let repositories = await result { completion in
          Silent.Search(transport: Network(.page), queue: queue).load(.search, then: completion)
          queue.cancelAllOperations()
        }
        return told(repositories)
      }
      .code("ParseSilently.swift", "guard let page")
      .notPlayed("what the queue has begun by then is up to Foundation"),
      .before("result of the dependency") { _ in
        let queue = queue(width: 2)
        return await told(
          result { completion in
            Linked.Search(transport: Network(.page), queue: queue)
              .load(.search, then: completion)
            queue.cancelAllOperations()
          })
      }
      .code("ResultOperations.swift", "if isCancelled")
      .notPlayed("what the queue has begun by then is up to Foundation"),
      .after("async functions") { _ in
        let search = Async.Search(transport: Network(.page))
        let task = Task { await told { try await search.load(.search) } }
        task.cancel()
        return await task.value
      }
      .code("FetchAsync.swift", "catch let error as CancellationError")
      .notPlayed("how far the task is by then is up to the pool"),
    ])
}
