import Foundation
import Workbook

extension Subject {
  static let waitInside = Subject(
    "wait-inside",
    asks: "A search on a queue of width 1 waits there for its own fetch. When is it done?",
    right: .allowed("2 repositories"), .forbidden("0 repositories"),
    implementations: [
      .before("waits inside", .deadlock("the fetch needs the place of the search")) { stage in
        stage.aboutToBlock("addOperations(…, waitUntilFinished: true) on its own queue")
        return await told(
          result {
            WaitingInside.Search(transport: Network(.page), queue: queue(width: 1))
              .load(.search, then: $0)
          })
      }
      .code("SearchWaitingInside.swift", "queue.addOperations")
      .alwaysWrong
      .found(
        "a cycle of 2: BlockOperation waits for the end of FetchOperation, held by "
          + "FetchOperation; FetchOperation waits for the turn of FetchOperation, held by "
          + "BlockOperation"),
      .before("adapter operation") { _ in
        await adapted(.page, width: 1)
      }
      .code("SearchAdapterOperation.swift", "parse.addDependency"),
      .before("result of the dependency") { _ in
        await linked(.page, width: 1)
      }
      .code("ParseOperation.swift", "addDependency(fetch)"),
      .after("async functions") { _ in
        await awaited(.page)
      }
      .code("SearchAsync.swift", "let page"),
    ])
}
