import Synchronization

/// Something that one task at a time holds: say so, and a deadlock names its cycle.
///
/// Nobody can see from outside who would end a wait for a continuation. A scenario that knows
/// declares it:
///
///     let fork = Resource("fork 1")
///     await fork.acquire { await semaphore.wait() }
///     …
///     await fork.release { await semaphore.signal() }
///
/// Between a release and the next acquisition is also an order that the race check of ``Shared`` goes
/// by. Outside an exploration both run their body and nothing else.
public struct Resource: Sendable {
  private static let count = Atomic(0)

  private let id: ObjectID
  /// What it is called in a report.
  public let name: String

  /// Declares a resource that nobody holds.
  ///
  /// - Parameter name: What it is called in a report.
  public init(_ name: String) {
    self.name = name
    id = .resource(Self.count.add(1, ordering: .relaxed).newValue)
  }

  /// Waits for the resource; from then on the task holds it.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, taken by itself.
  ///   - wait: Returns when the task holds the resource.
  /// - Throws: What `wait` throws; the task then does not hold the resource.
  public func acquire<E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ wait: () async throws(E) -> Void
  ) async throws(E) {
    let executor = ScenarioExecutor.current
    let strand = executor?.execution.running
    if let strand {
      executor?.execution.objects.name(id, name)
      executor?.execution.strands[strand].want = id
    }
    defer { if let strand { executor?.execution.strands[strand].want = nil } }
    try await wait()
    if let strand { executor?.execution.acquire(id, by: strand) }
  }

  /// Gives the resource back.
  ///
  /// - Parameters:
  ///   - isolation: The caller's actor, taken by itself.
  ///   - release: Gives it back; the resource counts as free when it begins.
  /// - Returns: What `release` returns.
  /// - Throws: What `release` throws.
  public func release<R, E: Error>(
    isolation: isolated (any Actor)? = #isolation, _ release: () async throws(E) -> R
  ) async throws(E) -> R {
    ScenarioExecutor.current?.execution.release(id)
    return try await release()
  }
}
