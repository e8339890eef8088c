/// How urgent a photo is.
enum Urgency: Sendable { case visible, prefetch }

/// Lets so many photos be loaded at a time, and fewer of those that nobody looks at yet.
///
/// A prefetch passes two gates, the narrow one first. So prefetches never have all permits, and few of them are in line
/// before a visible photo.
final class PhotoGate: Sendable {
  private let narrow: AsyncSemaphore
  private let all: AsyncSemaphore

  /// - Parameters:
  ///   - permits: How many photos are loaded at a time.
  ///   - prefetches: How many of them may be prefetches, 1 or more and fewer than all.
  init(permits: Int, prefetches: Int) {
    precondition(prefetches >= 1 && prefetches < permits, "a permit is kept for visible photos")
    narrow = AsyncSemaphore(permits: prefetches)
    all = AsyncSemaphore(permits: permits)
  }

  nonisolated(nonsending) func load<Value>(
    _ urgency: Urgency, _ body: nonisolated(nonsending) () async throws -> Value
  ) async throws -> Value {
    switch urgency {
    case .visible: return try await all.withPermit(body)
    case .prefetch: return try await narrow.withPermit { try await all.withPermit(body) }
    }
  }
}
