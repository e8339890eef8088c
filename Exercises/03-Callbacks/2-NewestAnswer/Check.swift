import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// A directory that takes seconds, and notes which questions were given up.
private final class TestDirectory: Directory {
  struct Lost: Error {}

  private let seconds: [Int: Int]
  private let error: any Error
  private let givenUp = Mutex<[Int]>([])

  /// - Parameters:
  ///   - seconds: How long each answer takes; a question that is not here fails after one.
  ///   - error: What it fails with.
  init(_ seconds: [Int: Int], failing error: any Error = Lost()) {
    self.seconds = seconds
    self.error = error
  }

  var left: [Int] { givenUp.withLock { $0.sorted() } }

  func name(of id: Int) async throws -> String? {
    do {
      try await Task.sleep(for: .seconds(seconds[id] ?? 1))
    } catch {
      givenUp.withLock { $0.append(id) }
      throw error
    }
    guard seconds[id] != nil else { throw error }
    return id == 0 ? nil : "person \(id)"
  }
}

/// What a page shows after so many seconds.
@MainActor private func look(_ page: Page, after seconds: Int) async -> String {
  try? await Task.sleep(for: .seconds(seconds))
  return "\(page.text)\(page.isBusy ? ", busy" : "")"
}

@Test func `the page is busy, and then it shows the person`() async {
  await everyOrder(gives: ", busy; person 1", time: .passesWhenIdle) {
    let page = await Page(directory: TestDirectory([1: 2]))
    await page.show(1)
    let early = await look(page, after: 1)
    return "\(early); \(await look(page, after: 2))"
  }
}

@Test func `nobody and no connection are told apart, and the page is busy no more`() async {
  await everyOrder(gives: "nobody; no connection", time: .passesWhenIdle) {
    let page = await Page(directory: TestDirectory([0: 1]))
    await page.show(0)
    let nobody = await look(page, after: 2)
    await page.show(7)
    return "\(nobody); \(await look(page, after: 2))"
  }
}

@Test func `an error that looks like a cancellation is no connection, too`() async {
  await everyOrder(gives: "no connection", time: .passesWhenIdle) {
    let page = await Page(directory: TestDirectory([:], failing: CancellationError()))
    await page.show(7)
    return await look(page, after: 2)
  }
}

@Test func `an older answer after a newer one is not shown`() async {
  await everyOrder(gives: "person 2; person 2; left [1]", time: .passesWhenIdle) {
    let directory = TestDirectory([1: 5, 2: 1])
    let page = await Page(directory: directory)
    await page.show(1)
    await page.show(2)
    let early = await look(page, after: 3)
    return "\(early); \(await look(page, after: 5)); left \(directory.left)"
  }
}

@Test func `an older answer before a newer one is not shown, and ends no waiting`() async {
  await everyOrder(gives: ", busy; person 2; left [1]", time: .passesWhenIdle) {
    let directory = TestDirectory([1: 1, 2: 5])
    let page = await Page(directory: directory)
    await page.show(1)
    await page.show(2)
    let early = await look(page, after: 3)
    return "\(early); \(await look(page, after: 5)); left \(directory.left)"
  }
}

@Test func `the same person again is another question`() async {
  let right = "after 3: , busy; after 6: person 1"
  await everyOrder(gives: right, time: .passesWhenIdle) {
    let page = await Page(directory: TestDirectory([1: 2, 2: 9]))
    await page.show(1)
    try await Task.sleep(for: .seconds(1))
    await page.show(2)
    await page.show(1)
    // The first question for person 1 would have its answer by then.
    try await Task.sleep(for: .milliseconds(1_500))
    let early = await look(page, after: 0)
    return "after 3: \(early); after 6: \(await look(page, after: 3))"
  }
}

@Test func `an answer that meets a newer question does not end its waiting`() async {
  await everyOrder(
    gives: ", busy; person 2", "person 1, busy; person 2", time: .passesWhenIdle
  ) {
    let page = await Page(directory: TestDirectory([1: 1, 2: 3]))
    await page.show(1)
    try await Task.sleep(for: .seconds(1))
    await page.show(2)
    let early = await look(page, after: 1)
    return "\(early); \(await look(page, after: 5))"
  }
}

@Test func `a page that is left shows nothing more, and is not busy`() async {
  await everyOrder(gives: "; ; left [1]", time: .passesWhenIdle) {
    let directory = TestDirectory([1: 3])
    let page = await Page(directory: directory)
    await page.show(1)
    _ = await look(page, after: 1)
    await page.leave()
    let early = await look(page, after: 0)
    return "\(early); \(await look(page, after: 5)); left \(directory.left)"
  }
}

@Test func `after that it shows again`() async {
  await everyOrder(gives: "person 2", time: .passesWhenIdle) {
    let page = await Page(directory: TestDirectory([1: 3, 2: 1]))
    await page.show(1)
    await page.leave()
    await page.show(2)
    return await look(page, after: 5)
  }
}
