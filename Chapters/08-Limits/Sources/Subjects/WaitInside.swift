import Workbook

extension Subject {
  static let waitInside = Subject(
    "wait-inside",
    asks: "Two downloads, one at a time, on a pool of chosen width. Do both end?",
    right: .allowed("2 loaded, at most 1 at a time"), .forbidden("2 loaded, at most 2 at a time"),
    implementations: [
      .before(
        "a wait inside the block, 1 worker",
        .deadlock("the answer needs the thread that waits for it"),
        .allowed("2 loaded, at most 1 at a time", "the second block came after the answer")
      ) { stage in
        stage.limitWorkers(to: 1)
        return await loaded { WaitingInside.Downloads(width: 1, fetch: $0).start($1, then: $2) }
      }
      .code("DownloadsWaitingInside.swift", "free.wait()")
      .notPlayed("the pool of Dispatch grows: see limits/gate")
      .found(
        "scenario waits for a continuation; global 2 waits for DispatchSemaphore in start; "
          + "global 3 waits for DispatchGroup in start; global 4 waits for one of 1 worker"),
      .before("a wait inside the block, 2 workers") { stage in
        stage.limitWorkers(to: 2)
        return await loaded { WaitingInside.Downloads(width: 1, fetch: $0).start($1, then: $2) }
      }
      .code("DownloadsWaitingInside.swift", "free.wait()"),
      .before("one feeder, 1 worker") { stage in
        stage.limitWorkers(to: 1)
        return await loaded { Fed.Downloads(width: 1, fetch: $0).start($1, then: $2) }
      }
      .code("DownloadsSemaphore.swift", "feeder.async"),
      .before("operation queue, 1 worker") { stage in
        stage.limitWorkers(to: 1)
        return await loaded { Operated.Downloads(width: 1, fetch: $0).start($1, then: $2) }
      }
      .code("DownloadsOperation.swift", "maxConcurrentOperationCount"),
      .after("bounded group") { _ in
        let network = Network(2, answersAt: 1)
        let files = try await TaskGrouped.Downloads(width: 1, fetch: network.load).load(names)
        return "\(files.count) loaded, \(network.told)"
      }
      .code("DownloadsTaskGroup.swift", "forEachInOrder"),
      .after("AsyncSemaphore") { _ in
        let network = Network(2, answersAt: 1)
        let downloads = Gated.Downloads(gate: AsyncSemaphore(permits: 1), fetch: network.load)
        async let first = downloads.load(names[0])
        async let second = downloads.load(names[1])
        return "\(try await [first, second].count) loaded, \(network.told)"
      }
      .code("DownloadsTask.swift", "gate.withPermit"),
    ])
}

private let names = ["a", "b"]

private func loaded(
  _ start: (@escaping Fetch, [String], @escaping @Sendable ([Answer]) -> Void) -> Void
) async -> String {
  let network = Network(2, answersAt: 1)
  let answers = await result { start(network.fetch, names, $0) }
  return "\(answers.count) loaded, \(network.told)"
}
