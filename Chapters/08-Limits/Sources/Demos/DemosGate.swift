import Dispatch
import Foundation
import Workbook

extension Demo {
  static let gate = Demo(
    "gate",
    asks: "Downloads of 10 ms, two at a time: what does it cost to wait inside the blocks?",
    sides: [
      .hazard(
        .before, "a wait inside, against a feeder", gateHazard,
        .surprising(
          "at least 20 times slower", "all threads of the pool wait, and the answers need one"),
        .forbidden("less than 20 times slower")
      )
      .code("DownloadsWaitingInside.swift", "free.wait()")
    ])

  static let atMostThree = Demo(
    "at-most-three",
    asks: "Ten downloads, at most three at a time. How many are under way at most?",
    sides: [
      .before("a semaphore and a feeder", .allowed(three), .forbidden(more)) { _ in
        let network = Network(10, answersAt: 3)
        _ = await result { Fed.Downloads(width: 3, fetch: network.fetch).start(names, then: $0) }
        return network.told
      }
      .code("DownloadsSemaphore.swift", "free.wait()"),
      .before("maxConcurrentOperationCount", .allowed(three), .forbidden(more)) { _ in
        let network = Network(10, answersAt: 3)
        _ = await result {
          Operated.Downloads(width: 3, fetch: network.fetch).start(names, then: $0)
        }
        return network.told
      }
      .code("DownloadsOperation.swift", "maxConcurrentOperationCount"),
      .before(
        ".barrier", .surprising("at most 1 at a time", "a barrier has no width but one"),
        .forbidden(three)
      ) { _ in
        let (queue, room) = (
          DispatchQueue(label: "barrier", attributes: .concurrent), Network(10, answersAt: 1)
        )
        await withCheckedContinuation { continuation in
          for name in names { queue.async(flags: .barrier) { waitForAnswer(to: name, from: room) } }
          queue.async(flags: .barrier) { continuation.resume() }
        }
        return room.told
      }
      .code("DemosGate.swift", "flags: .barrier"),
      .after("bounded group", .allowed(three), .forbidden(more)) { _ in
        let network = Network(10, answersAt: 3)
        _ = try await TaskGrouped.Downloads(width: 3, fetch: network.load).load(names)
        return network.told
      }
      .code("ForEachInOrder.swift", "while added < count"),
      .after("AsyncSemaphore", .allowed(three), .forbidden(more)) { _ in
        let network = Network(10, answersAt: 3)
        let downloads = Gated.Downloads(gate: AsyncSemaphore(permits: 3), fetch: network.load)
        try await withThrowingTaskGroup(of: Void.self) { group in
          for name in names { group.addTask { _ = try await downloads.load(name) } }
          try await group.waitForAll()
        }
        return network.told
      }
      .code("DownloadsTask.swift", "gate.withPermit"),
    ])
}

private let names = (1...10).map(String.init)
private let (three, more) = ("at most 3 at a time", "at most 10 at a time")

/// Holds its thread until the network has answered.
private func waitForAnswer(to name: String, from network: Network) {
  let isDone = DispatchSemaphore(value: 0)
  network.fetch(name) { _ in isDone.signal() }
  isDone.wait()
}

private let gateHazard = Hazard.task("limits/gate") { transcript in
  let fetch: Fetch = { name, completion in
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(10)) {
      completion(.success(Array(name.utf8)))
    }
  }
  // Two are under way, the others wait, and the pool has a thread for each core at once.
  let names = (1...ProcessInfo.processInfo.activeProcessorCount + 4).map(String.init)
  let clock = ContinuousClock()
  // The least of ten, because the machine may be busy.
  var feeder = Duration.seconds(60)
  for _ in 1...10 {
    let time = await clock.measure {
      _ = await result { Fed.Downloads(width: 2, fetch: fetch).start(names, then: $0) }
    }
    feeder = min(feeder, time)
  }
  let inside = await clock.measure {
    _ = await result { WaitingInside.Downloads(width: 2, fetch: fetch).start(names, then: $0) }
  }
  transcript.say("a feeder: \(Int(feeder / .milliseconds(1))) ms")
  transcript.say("a wait inside: \(Int(inside / .milliseconds(1))) ms")
  return inside >= feeder * 20 ? "at least 20 times slower" : "less than 20 times slower"
}
