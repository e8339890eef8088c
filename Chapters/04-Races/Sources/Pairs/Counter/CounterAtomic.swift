import Synchronization

extension Lockfree {
  final class Counter: Sendable {
    private let count = Atomic(0)

    /// The processor reads, adds and writes in one step.
    func increment() { count.wrappingAdd(1, ordering: .relaxed) }

    var value: Int { count.load(ordering: .relaxed) }
  }
}
