import Foundation
import Workbook

extension Subject {
  static let handOver = Subject(
    "hand-over",
    asks: "The fetch hands its page to the parse that depends on it. What does the parse find?",
    right: .allowed("2 repositories"),
    implementations: [
      .before(
        "completion block",
        .surprising("0 repositories", "a dependent waits for isFinished, and not for the block"),
        .allowed("2 repositories", "the block came first").onlyExplored
      ) { stage in
        let parsed = DispatchSemaphore(value: 0)
        return await told(
          result { completion in
            HandedOver.Search(transport: Network(.page), queue: queue(width: 2)) { _ in
              if !stage.isExplored { parsed.wait() }
            }.load(.search) {
              completion($0)
              parsed.signal()
            }
          })
      }
      .code("SearchHandedOver.swift", "fetch.completionBlock"),
      .before(
        "completion block, width 1",
        .surprising("0 repositories", "one at a time says nothing about the block"),
        .allowed("2 repositories", "the block came first")
      ) { _ in
        await told(
          result {
            HandedOver.Search(transport: Network(.page), queue: queue(width: 1))
              .load(.search, then: $0)
          })
      }
      .code("SearchHandedOver.swift", "fetch.completionBlock")
      .notPlayed("which of the two comes first is up to Foundation"),
      .before("adapter operation") { _ in
        await adapted(.page, width: 2)
      }
      .code("SearchAdapterOperation.swift", "let adapter"),
      .before("result of the dependency") { _ in
        await linked(.page, width: 2)
      }
      .code("ParseOperation.swift", "finish(with: fetch.result!"),
      .after("async functions") { _ in
        await awaited(.page)
      }
      .code("SearchAsync.swift", "let page"),
    ])

  static let goneOperation = Subject(
    "gone-operation",
    asks: "The completion block of the fetch comes when the parse is over. What does it use?",
    right: .allowed("2 repositories"), .forbidden("0 repositories"),
    implementations: [
      .before(
        "unowned operations",
        .trap("the queue was the last to keep the parse").played(as: "fatal error")
      ) { stage in
        let gone = DispatchSemaphore(value: 0)
        let repositories = await result { completion in
          let parse = Owned(completion, whenGone: gone)
          Unowned.Search(transport: Network(.page), queue: queue(width: 2)) { _ in
            gone.wait()
            stage.aboutToBlock("a use of an operation that is gone")
          }.load(.search, then: parse.take)
        }
        // The block goes on behind the caller's back.
        await Gate().wait()
        return told(repositories)
      }
      .code("SearchUnowned.swift", "fetch.completionBlock")
      .notExplored("no process survives it"),
      .before("result of the dependency") { _ in
        await linked(.page, width: 2)
      }
      .code("ParseOperation.swift", "private let fetch")
      .notExplored("nothing is unowned"),
      .after("async functions") { _ in
        await awaited(.page)
      }
      .code("SearchAsync.swift", "let page")
      .notExplored("nothing is unowned"),
    ])
}

/// What only the parse keeps.
private final class Owned: Sendable {
  private let completion: @Sendable ([Repository]) -> Void
  private let gone: DispatchSemaphore

  init(_ completion: @escaping @Sendable ([Repository]) -> Void, whenGone gone: DispatchSemaphore) {
    self.completion = completion
    self.gone = gone
  }

  deinit { gone.signal() }

  @Sendable func take(_ repositories: [Repository]) { completion(repositories) }
}
