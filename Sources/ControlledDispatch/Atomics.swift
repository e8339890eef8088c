import Interleaving

/// The stand-in for Synchronization's atomic. Whatever ordering is asked for, it is sequentially
/// consistent: what only a weaker one allows is not explored.
public struct Atomic<Value: Equatable & Sendable>: ~Copyable, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private final class Box {
    var value: Value

    init(_ value: Value) { self.value = value }
  }

  private let box: Box
  private let object = ControlledObject("Atomic")

  public init(_ initialValue: consuming Value) { box = Box(initialValue) }

  public borrowing func load(ordering: AtomicLoadOrdering) -> Value {
    object.perform(.load, "loads")
    object.control.note("\(box.value)")
    return box.value
  }

  public borrowing func store(_ desired: consuming Value, ordering: AtomicStoreOrdering) {
    let desired = desired
    object.perform(.store, "stores \(desired) in")
    box.value = desired
  }

  public borrowing func exchange(
    _ desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> Value {
    let desired = desired
    return update { _ in desired }.oldValue
  }

  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    let expected = expected
    let desired = desired
    let original = update { $0 == expected ? desired : $0 }.oldValue
    return (original == expected, original)
  }

  public borrowing func compareExchange(
    expected: consuming Value, desired: consuming Value,
    successOrdering: AtomicUpdateOrdering, failureOrdering: AtomicLoadOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: expected, desired: desired, ordering: successOrdering)
  }

  /// As `compareExchange`; here it never fails without a reason.
  public borrowing func weakCompareExchange(
    expected: consuming Value, desired: consuming Value, ordering: AtomicUpdateOrdering
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: expected, desired: desired, ordering: ordering)
  }

  private borrowing func update(_ change: (Value) -> Value) -> (oldValue: Value, newValue: Value) {
    object.perform(.update, "updates")
    let old = box.value
    box.value = change(old)
    object.control.note("\(old) → \(box.value)")
    return (old, box.value)
  }
}

extension Atomic where Value: FixedWidthInteger {
  @discardableResult
  public borrowing func add(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { update { $0 + operand } }

  @discardableResult
  public borrowing func subtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { update { $0 - operand } }

  @discardableResult
  public borrowing func wrappingAdd(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { update { $0 &+ operand } }

  @discardableResult
  public borrowing func wrappingSubtract(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { update { $0 &- operand } }

  @discardableResult
  public borrowing func max(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { update { Swift.max($0, operand) } }

  @discardableResult
  public borrowing func min(
    _ operand: Value, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Value, newValue: Value) { update { Swift.min($0, operand) } }
}

extension Atomic where Value == Bool {
  @discardableResult
  public borrowing func logicalAnd(
    _ operand: Bool, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Bool, newValue: Bool) { update { $0 && operand } }

  @discardableResult
  public borrowing func logicalOr(
    _ operand: Bool, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Bool, newValue: Bool) { update { $0 || operand } }

  @discardableResult
  public borrowing func logicalXor(
    _ operand: Bool, ordering: AtomicUpdateOrdering
  ) -> (oldValue: Bool, newValue: Bool) { update { $0 != operand } }
}

/// The stand-in for Synchronization's reference that is set once.
public struct AtomicLazyReference<Instance: AnyObject & Sendable>: ~Copyable, @unchecked Sendable {
  // Sendable: only the strand that has the turn uses it.
  private final class Box {
    var instance: Instance?
  }

  private let box = Box()
  private let object = ControlledObject("AtomicLazyReference")

  public init() {}

  public borrowing func load() -> Instance? {
    object.perform(.load, "loads")
    return box.instance
  }

  /// Sets the reference if it is not set.
  ///
  /// - Returns: What it is set to then.
  public borrowing func storeIfNil(_ desired: consuming Instance) -> Instance {
    object.perform(.update, "sets, if nobody has,")
    let desired = desired
    let instance = box.instance ?? desired
    box.instance = instance
    return instance
  }
}

/// The orderings of a load, all taken as the last.
public enum AtomicLoadOrdering: Sendable { case relaxed, acquiring, sequentiallyConsistent }

/// The orderings of a store, all taken as the last.
public enum AtomicStoreOrdering: Sendable { case relaxed, releasing, sequentiallyConsistent }

/// The orderings of an update, all taken as the last.
public enum AtomicUpdateOrdering: Sendable {
  case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
}
