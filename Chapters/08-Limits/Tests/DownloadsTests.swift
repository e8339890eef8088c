import ChapterTesting
import Dispatch
import Foundation
import Testing
import Workbook

@testable import Limits

private struct Lost: Error {}

/// What loads so many at a time; what fails is nil.
private let forms: [(name: String, load: @Sendable (Int, Network, [String]) async -> [[UInt8]?])] =
  [
    (
      "semaphore",
      { width, network, names in
        await result { Fed.Downloads(width: width, fetch: network.fetch).start(names, then: $0) }
          .map { try? $0.get() }
      }
    ),
    (
      "operations",
      { width, network, names in
        await result {
          Operated.Downloads(width: width, fetch: network.fetch).start(names, then: $0)
        }
        .map { try? $0.get() }
      }
    ),
    (
      "bounded group",
      { width, network, names in
        (try? await TaskGrouped.Downloads(width: width, fetch: network.load).load(names)) ?? []
      }
    ),
    (
      "AsyncSemaphore",
      { width, network, names in
        let downloads = Gated.Downloads(gate: AsyncSemaphore(permits: width), fetch: network.load)
        return await withTaskGroup(of: (Int, [UInt8]?).self) { group in
          for (index, name) in names.enumerated() {
            group.addTask { (index, try? await downloads.load(name)) }
          }
          return await group.reduce(into: Array(repeating: nil, count: names.count)) {
            $0[$1.0] = $1.1
          }
        }
      }
    ),
  ]

@Suite(.timeLimit(.minutes(30))) struct DownloadsTests {
  @Test(arguments: forms.map(\.name), [1, 2, 5, 20])
  func `as many as may be are under way, and no more; answers are in order`(
    _ name: String, _ width: Int
  ) async throws {
    let form = try #require(forms.first { $0.name == name })
    let names = (0..<12).map(String.init)
    // It answers nothing before so many have come.
    let network = Network(12, answersAt: min(width, 12))
    #expect(await form.load(width, network, names) == names.map { Array($0.utf8) })
    #expect(network.most == min(width, 12))
  }

  @Test(arguments: forms.map(\.name))
  func `nothing to load is loaded at once`(_ name: String) async throws {
    let form = try #require(forms.first { $0.name == name })
    #expect(await form.load(2, Network(0, answersAt: 1), []).isEmpty)
  }

  @Test func `an answer that fails stands in its place; a group ends with it`() async {
    let fetch: Fetch = { name, completion in
      DispatchQueue.global().async {
        completion(name == "b" ? .failure(Lost()) : .success(Array(name.utf8)))
      }
    }
    for answers in [
      await result { Fed.Downloads(width: 2, fetch: fetch).start(["a", "b", "c"], then: $0) },
      await result { Operated.Downloads(width: 2, fetch: fetch).start(["a", "b", "c"], then: $0) },
    ] {
      #expect(answers.map { (try? $0.get())?.count ?? -1 } == [1, -1, 1])
    }
    let downloads = TaskGrouped.Downloads(width: 2) { name in
      if name == "b" { throw Lost() }
      return Array(name.utf8)
    }
    await #expect(throws: Lost.self) { try await downloads.load(["a", "b", "c"]) }
  }
}

#if os(Linux)
  @Suite(.timeLimit(.minutes(30))) struct LeftoverTests {
    // A process of its own: descriptors and threads belong to the whole process.
    @Test func `a hundred rounds leave no descriptor and no thread behind`() async {
      await #expect(processExitsWith: .success) {
        await expectNothingLeft(after: 100, behindFirst: 20, fewerThan: 50, round)
      }
    }
  }

  /// Each form once, and what is cancelled.
  private func round() async {
    for form in forms {
      _ = await form.load(2, Network(4, answersAt: 2), ["a", "b", "c", "d"])
    }
    let (semaphore, channel) = (AsyncSemaphore(permits: 0), Channel<Int>())
    let limit = RateLimit(every: .seconds(3_600))
    try? await limit.start()
    let waiters = [
      Task { try await semaphore.wait() }, Task { try await channel.send(1) },
      Task { try await limit.start() },
    ]
    for waiter in waiters { waiter.cancel() }
    for waiter in waiters { _ = await waiter.result }
  }
#endif
