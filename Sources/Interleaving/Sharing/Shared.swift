/// A variable that tasks share without protection, whose every use an exploration records.
///
/// In an exploration, two uses by two tasks that nothing orders, one of them a write, are a race: see
/// ``Failure/Kind/race``. Outside it is a plain box, unsynchronised on purpose, so that
/// ThreadSanitizer sees what you would have with a plain variable. Code that is compiled as <doc:Watching> says
/// needs none.
///
///     @Shared var value = 0
@propertyWrapper
public final class Shared<Value>: @unchecked Sendable {
  // Sendable is false on purpose: this is the unprotected variable under test. It is safe in an
  // exploration, where one thread runs every step.
  private var storage: Value
  /// Read and written whenever `storage` is, by plain instructions: how a generic value is copied the
  /// sanitizer does not see.
  private var shadow = 0
  private let name: String
  /// Its identity in the execution that made it.
  private let made: (object: ObjectID, execution: ExecutionID)?

  /// Makes a variable; one that belongs to a scenario is made inside it.
  ///
  /// - Parameters:
  ///   - value: The first value.
  ///   - name: What it is called in a trace.
  public init(_ value: Value, _ name: String = "shared") {
    storage = value
    self.name = name
    made = ScenarioExecutor.current.map { executor in
      (executor.execution.makeObject(), executor.current)
    }
  }

  /// Makes a variable from what a property begins with.
  ///
  /// - Parameters:
  ///   - wrappedValue: The first value.
  ///   - name: What it is called in a trace.
  public convenience init(wrappedValue: Value, _ name: String = "shared") {
    self.init(wrappedValue, name)
  }

  /// The value, as the property.
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The value; reading it and writing it are two uses.
  public var value: Value {
    get {
      let use = begin(.read)
      precondition(shadow >= 0)
      use?.executor.noteUse(.read, of: use!.object, name, storage)
      return storage
    }
    set {
      let use = begin(.write)
      shadow = 1
      use?.executor.noteUse(.write, of: use!.object, name, newValue)
      storage = newValue
    }
  }

  /// Changes the value in place: one use, a write.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func update<R, E: Error>(_ body: (inout Value) throws(E) -> R) throws(E) -> R {
    let use = begin(.write)
    shadow = 1
    defer { use?.executor.noteUse(.update, of: use!.object, name, storage) }
    return try body(&storage)
  }

  /// Says that it is about to be used, and waits for the turn if the user is a strand that blocks.
  private func begin(_ mode: Access.Mode) -> (executor: ScenarioExecutor, object: ObjectID)? {
    guard let executor = ScenarioExecutor.current else { return nil }
    let object =
      if let made, made.execution == executor.current {
        made.object
      } else {
        executor.execution.objects.object(outside: ObjectIdentifier(self))
      }
    executor.access(mode, object, name)
    return (executor, object)
  }
}
