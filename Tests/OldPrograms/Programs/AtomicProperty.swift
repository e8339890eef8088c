import Dispatch

/// A property behind a queue.
///
/// Its known bug: `+=` goes through the getter and then through the setter, and another thread comes in between.
extension Wrong {
  @propertyWrapper final class Atomic<Value>: @unchecked Sendable {
    // Sendable: `value` is used on `queue` only.
    private let queue = DispatchQueue(label: "atomic")
    private var value: Value

    init(wrappedValue: Value) { value = wrappedValue }

    var wrappedValue: Value {
      get { queue.sync { value } }
      set { queue.sync { value = newValue } }
    }
  }

  final class Visits: @unchecked Sendable {
    // Sendable: the wrapper guards the value, and is never replaced.
    @Atomic private(set) var count = 0

    func add() { count += 1 }
  }
}

extension Right {
  @propertyWrapper final class Atomic<Value>: @unchecked Sendable {
    // Sendable: `value` is used on `queue` only.
    private let queue = DispatchQueue(label: "atomic")
    private var value: Value

    init(wrappedValue: Value) { value = wrappedValue }

    var wrappedValue: Value { queue.sync { value } }
    var projectedValue: Atomic { self }

    func mutate<Result>(_ change: (inout Value) throws -> Result) rethrows -> Result {
      try queue.sync { try change(&value) }
    }
  }

  final class Visits: @unchecked Sendable {
    // Sendable: the wrapper guards the value, and is never replaced.
    @Atomic var count = 0

    func add() { $count.mutate { $0 += 1 } }
  }
}
