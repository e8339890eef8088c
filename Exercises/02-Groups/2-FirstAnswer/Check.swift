import ExerciseChecking
import Synchronization
import Testing

@testable import Answer

/// What the check uses.
private protocol Photos: Sendable {
  init(sites: [any MirrorSite])
  func photo(_ name: String) async throws -> Photo
}

extension Gallery: Photos {}

/// Sites that are called A, B and so on, and what they are asked.
private final class Sites: Sendable {
  enum Kind {
    /// Has the photo.
    case answers
    /// Has it, and is so slow that A has failed before.
    case answersLate
    case fails
    /// Fails with the error that a cancelled task has, though nobody has cancelled it.
    case givesUp
    /// Does not end before it is cancelled.
    case hangs
  }

  struct Site: MirrorSite {
    let name: String
    let kind: Kind
    let sites: Sites

    func photo(_ name: String) async throws -> Photo {
      sites.log.withLock { $0.asked.append(self.name) }
      defer { sites.log.withLock { $0.ended.append(self.name) } }
      switch kind {
      case .answers: break
      case .answersLate:
        for await _ in sites.untilFailure.stream {}
        try Task.checkCancellation()
      case .fails:
        sites.untilFailure.continuation.finish()
        throw SiteError(site: self.name)
      case .givesUp: throw CancellationError()
      case .hangs:
        await untilCancelled()
        throw CancellationError()
      }
      return Photo(name: name, site: self.name)
    }
  }

  struct Log: Sendable {
    var asked: [String] = []
    var ended: [String] = []
  }

  private let log = Mutex(Log())
  private let untilFailure = AsyncStream.makeStream(of: Void.self)

  func make(_ kinds: [Kind]) -> [Site] {
    zip(["A", "B", "C", "D", "E", "F"], kinds).map { Site(name: $0, kind: $1, sites: self) }
  }

  /// What came of it: photo or error, then what should not be.
  func outcome(_ result: Result<Photo, any Error>) -> String {
    var words =
      switch result {
      case .success(let photo): ["\(photo.name) of \(photo.site)"]
      case .failure(let error as SiteError): ["error of \(error.site)"]
      case .failure(is CancellationError): ["cancelled"]
      case .failure(let error): ["\(error)"]
      }
    let log = log.withLock(\.self)
    for site in Set(log.asked).sorted() {
      if log.asked.count(where: { $0 == site }) > 1 { words.append("\(site) is asked again") }
      if !log.ended.contains(site) { words.append("\(site) still at work") }
    }
    return words.joined(separator: ", ")
  }
}

private struct SiteError: Error {
  let site: String
}

/// Returns when the task is cancelled.
private func untilCancelled() async {
  let state = Mutex((isCancelled: false, waiter: CheckedContinuation<Void, Never>?.none))
  await withTaskCancellationHandler {
    await withCheckedContinuation { waiter in
      let isCancelled = state.withLock { state in
        if !state.isCancelled { state.waiter = waiter }
        return state.isCancelled
      }
      if isCancelled { waiter.resume() }
    }
  } onCancel: {
    let waiter = state.withLock { state in
      state.isCancelled = true
      return state.waiter
    }
    waiter?.resume()
  }
}

private func result(
  of body: () async throws -> Photo
) async -> Result<Photo, any Error> {
  do { return .success(try await body()) } catch { return .failure(error) }
}

/// What comes of a photo that some sites are asked for.
@Sendable private func outcome(of kinds: Sites.Kind..., isCancelled: Bool = false) async -> String {
  let sites = Sites()
  let gallery: any Photos = Gallery(sites: sites.make(kinds))
  let caller = Task(name: "caller") {
    sites.outcome(await result { try await gallery.photo("sea") })
  }
  if isCancelled { caller.cancel() }
  return await caller.value
}

private let some = Orders.upTo(classes: 100, preempted: 60, drawn: 40)

@Test func `the first photo is taken, and sites that hang are cancelled and have ended`() async {
  await everyOrder(gives: "sea of A", within: some) { await outcome(of: .answers, .hangs) }
  await everyOrder(gives: "sea of B", within: some) { await outcome(of: .hangs, .answers) }
  await everyOrder(gives: "sea of C", within: some) { await outcome(of: .fails, .hangs, .answers) }
  await everyOrder(gives: "sea of C", within: some) { await outcome(of: .hangs, .hangs, .answers) }
}

@Test func `all sites are asked at the same time, however many there are`() async {
  await everyOrder(
    gives: "sea of F", within: .upTo(classes: 40, preempted: 40, drawn: 40), steps: 1_000
  ) {
    await outcome(of: .hangs, .hangs, .fails, .hangs, .hangs, .answers)
  }
}

@Test func `a site that fails first decides nothing, whatever its error`() async {
  await everyOrder(gives: "sea of B", within: some) { await outcome(of: .fails, .answersLate) }
  await everyOrder(gives: "sea of C", within: some) {
    await outcome(of: .givesUp, .fails, .answersLate)
  }
}

@Test func `if all fail, the error is that of the first in the list`() async {
  await everyOrder(gives: "error of A", within: some) { await outcome(of: .fails, .fails) }
  await everyOrder(gives: "error of A", within: some) { await outcome(of: .fails) }
  await everyOrder(gives: "error of A", within: some) {
    await outcome(of: .fails, .givesUp, .fails)
  }
}

@Test func `of two that have the photo, one gives it`() async {
  await everyOrder(gives: "sea of A", "sea of B", within: some) {
    await outcome(of: .answers, .answers)
  }
}

@Test func `a cancelled caller has all downloads cancelled, and gets no other error`() async {
  await everyOrder(gives: "cancelled", within: some) {
    await outcome(of: .hangs, .hangs, isCancelled: true)
  }
  await everyOrder(gives: "cancelled", within: some) {
    await outcome(of: .fails, .hangs, isCancelled: true)
  }
  await everyOrder(gives: "cancelled", "sea of A", within: some) {
    await outcome(of: .answers, .hangs, isCancelled: true)
  }
}
