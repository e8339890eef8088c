/// A variable that tasks share without protection, whose every use an exploration records.
///
/// In an exploration, two uses by two tasks that nothing orders, one of them a write, are a race: see
/// ``Failure/Kind/race``. Outside it is a plain box, unsynchronised on purpose, so that
/// ThreadSanitizer sees what you would have with a plain variable.
public final class Shared<Value>: @unchecked Sendable {
  // Sendable is false on purpose: this is the unprotected variable under test. It is safe in an
  // exploration, where one thread runs every step.
  private var storage: Value
  /// Read and written whenever `storage` is, by plain instructions: how a generic value is copied the
  /// sanitizer does not see.
  private var shadow = 0
  private let name: String
  /// The execution's own number for it and whose it is, where a scenario made it.
  private let object: (number: Int, executor: ObjectIdentifier)?

  /// Makes a variable; one that belongs to a scenario is made inside it.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - name: What it is called in a trace.
  public init(_ value: Value, _ name: String = "shared") {
    storage = value
    self.name = name
    object = SwiftRuntime.current.map { ($0.makeVariable(), ObjectIdentifier($0)) }
  }

  /// The value; reading it and writing it are two uses.
  public var value: Value {
    get {
      let executor = use(.read)
      precondition(shadow >= 0)
      executor?.note(.read, name, number(in: executor), storage)
      return storage
    }
    set {
      let executor = use(.write)
      shadow = 1
      executor?.note(.write, name, number(in: executor), newValue)
      storage = newValue
    }
  }

  /// Changes the value in place: one use, a write.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func update<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    let executor = use(.update)
    shadow = 1
    defer { executor?.note(.update, name, number(in: executor), storage) }
    return try body(&storage)
  }

  /// Says that it is about to be used, and waits for the turn if the user is a strand that blocks.
  private func use(_ use: SharedUse) -> ScenarioExecutor? {
    guard let executor = SwiftRuntime.current else { return nil }
    executor.access(use == .read ? .read : .write, number(in: executor), name)
    return executor
  }

  private func number(in executor: ScenarioExecutor?) -> Int {
    guard let executor else { return 0 }
    let isOwn = object?.executor == ObjectIdentifier(executor)
    return isOwn ? object!.number : executor.number(of: ObjectIdentifier(self))
  }
}

/// How a shared variable was used.
enum SharedUse: Hashable {
  case read, write, update
}
