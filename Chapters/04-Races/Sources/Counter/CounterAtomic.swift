import Synchronization

public final class CounterAtomic: Counter {
  private let count = Atomic(0)

  public init() {}

  public func increment() {
    count.add(1, ordering: .relaxed)
  }

  public var value: Int { count.load(ordering: .relaxed) }
}
