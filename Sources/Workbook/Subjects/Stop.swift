import CStops

/// Where A is stopped in the middle of its work, by what its code does anyway.
public enum Stop: Sendable {
  /// Before it begins, for the n-th time, to change what it shares with B; n from 1.
  ///
  /// A change is an `inout` access, such as `names.append("a")`, or an assignment.
  case change(Int)
  /// Before it stores in what it shares with B for the n-th time: of `count += 1`, between reading and writing.
  ///
  /// Use it for numbers and references; strings and collections are stopped between changes only.
  case store(Int)
  /// Before it uses what it shares with B for the n-th time.
  case use(Int)
  /// Before its n-th operation on an atomic of one or two words that it shares with B.
  case atomic(Int)
  /// Where it calls a ``Pause`` that it was given.
  case call(Pause)
}

extension Stop {
  private var deed: (kind: Int, ordinal: Int)? {
    switch self {
    case .change(let ordinal): (stops_change, ordinal)
    case .store(let ordinal): (stops_store, ordinal)
    case .use(let ordinal): (stops_use, ordinal)
    case .atomic(let ordinal): (stops_atomic, ordinal)
    case .call: nil
    }
  }

  /// Has a function called where code is stopped, on whatever thread it runs there.
  ///
  /// - Parameters:
  ///   - shared: What the code uses: of ``use(_:)``, ``change(_:)`` and so on those count that touch its bytes.
  ///   - stop: What is called, once at most. It must not use what is shared: the thread that it is called on is in the
  ///     middle of an access.
  ///   - body: The code, to its end.
  public func around<Result>(
    _ shared: AnyObject, _ stop: @escaping @Sendable () -> Void,
    while body: () async -> Result
  ) async -> Result {
    let armed = Armed(self, shared, stop)
    defer { armed?.disarm() }
    return await body()
  }

  /// The same of code that does not suspend.
  public func around<Result>(
    _ shared: AnyObject, _ stop: @escaping @Sendable () -> Void, while body: () -> Result
  ) -> Result {
    let armed = Armed(self, shared, stop)
    defer { armed?.disarm() }
    return body()
  }

  /// A stop that is set.
  private struct Armed {
    let number: Int32
    let context: Unmanaged<Callback>

    init?(_ stop: Stop, _ shared: AnyObject, _ call: @escaping @Sendable () -> Void) {
      if case .call(let pause) = stop { pause.set(call) }
      guard let (kind, ordinal) = stop.deed else { return nil }
      context = Unmanaged.passRetained(Callback(call))
      number = stops_set(
        Unmanaged.passUnretained(shared).toOpaque(), Int32(kind), Int32(ordinal),
        { Unmanaged<Callback>.fromOpaque($0).takeUnretainedValue().call() }, context.toOpaque())
      precondition(number >= 0, "too many stops are set at once")
    }

    func disarm() {
      stops_clear(number)
      context.release()
    }
  }
}

/// What stops A.
final class Callback: Sendable {
  let call: @Sendable () -> Void

  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}
