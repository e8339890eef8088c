import Workbook

extension Subject {
  static let ownSignal = Subject(
    "own-signal",
    asks: "In a callback a page is asked for, and waited for. Who would signal?",
    right: .allowed("contents of start"), .forbidden("contents of login"),
    implementations: [
      .before(
        "semaphore, in a callback",
        .deadlock("the signal would come on the queue that waits")
      ) { stage in
        stage.aboutToBlock("semaphore.wait() on the network's queue")
        return waiting { Waiting.Download(from: Network()).startPage(then: $0) }
      }
      .code("DownloadWaiting.swift", "func startPage")
      .alwaysWrong
      .watched(
        "suspected: a block of network, a thread of network, main",
        "a semaphore has no holder: all that wait are listed when all stands still"
      )
      .found(
        "scenario waits for DispatchSemaphore in waiting; network 1 waits for DispatchSemaphore in page; "
          + "network 2 waits for queue network, held by network 1"),
      .before("callback in a callback") { _ in
        waiting { CalledBack.Download(from: Network()).startPage(then: $0) }
      }
      .code("DownloadCallback.swift", "func startPage"),
      .after("await") { _ in await Awaited.Download(from: Network()).startPage() }
        .code("DownloadAsync.swift", "func startPage"),
    ])
}
