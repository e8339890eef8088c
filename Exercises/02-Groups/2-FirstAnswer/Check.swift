import Interleaving
import InterleavingTesting
import Synchronization
import Testing

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
    zip(["A", "B", "C"], kinds).map { Site(name: $0, kind: $1, sites: self) }
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

/// Checks what comes of a photo that some sites are asked for, in every order. An answer that begins more tasks than
/// it needs has too many, and so has a caller that is cancelled: then it is those with one preemption at most, 200 of
/// them, and 100 that are drawn, the same each time.
///
/// - Returns: Whether it is right.
@discardableResult
private func expect(
  _ right: String..., of kinds: [Sites.Kind], isCancelled: Bool = false
) async -> Bool {
  for (strategy, limit) in [
    (Strategy.reduced(assuming: .actorIsolation), 200), (.preemptionBounded(1), 200),
    (.pct(seed: 1, depth: 3), 100),
  ] {
    let exploration = await explore(
      strategy, limit: limit, stopsAtFailure: true, steps: 200, allowing: right.contains
    ) {
      let sites = Sites()
      let gallery: any Photos = Gallery(sites: sites.make(kinds))
      let caller = Task(name: "caller") {
        sites.outcome(await result { try await gallery.photo("sea") })
      }
      if isCancelled { caller.cancel() }
      return await caller.value
    }
    if exploration.failures.isEmpty, exploration.completeness == .scheduleLimit(limit) { continue }
    exploration.expectNoFailures()
    return exploration.failures.isEmpty
  }
  return true
}

@Test func `the first photo is taken, and sites that hang are cancelled and have ended`() async {
  guard await expect("sea of A", of: [.answers, .hangs]) else { return }
  guard await expect("sea of B", of: [.hangs, .answers]) else { return }
  guard await expect("sea of C", of: [.fails, .hangs, .answers]) else { return }
  await expect("sea of C", of: [.hangs, .hangs, .answers])
}

@Test func `a site that fails first decides nothing`() async {
  await expect("sea of B", of: [.fails, .answersLate])
}

@Test func `if all fail, the error is that of the first in the list`() async {
  guard await expect("error of A", of: [.fails, .fails]) else { return }
  await expect("error of A", of: [.fails])
}

@Test func `of two that have the photo, one gives it`() async {
  await expect("sea of A", "sea of B", of: [.answers, .answers])
}

@Test func `who is cancelled has all downloads cancelled, and gets no other error`() async {
  guard await expect("cancelled", of: [.hangs, .hangs], isCancelled: true) else { return }
  await expect("cancelled", of: [.fails, .hangs], isCancelled: true)
}
