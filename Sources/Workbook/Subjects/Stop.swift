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
  /// Before its n-th operation on an atomic that it shares with B.
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

  /// Has a function called where A is to be stopped, on whatever thread its code runs there.
  ///
  /// - Parameters:
  ///   - shared: What A and B share.
  ///   - stop: What is called, once at most.
  ///   - body: What A does.
  func around(
    _ shared: AnyObject, _ stop: @escaping @Sendable () -> Void, _ body: () async -> Void
  ) async {
    if case .call(let pause) = self { pause.set(stop) }
    guard let (kind, ordinal) = deed else { return await body() }
    let context = Unmanaged.passRetained(Callback(stop))
    let number = stops_set(
      Unmanaged.passUnretained(shared).toOpaque(), Int32(kind), Int32(ordinal),
      { Unmanaged<Callback>.fromOpaque($0).takeUnretainedValue().call() }, context.toOpaque())
    precondition(number >= 0, "too many encounters at once")
    await body()
    stops_clear(number)
    context.release()
  }
}

/// What stops A.
final class Callback: Sendable {
  let call: @Sendable () -> Void

  init(_ call: @escaping @Sendable () -> Void) { self.call = call }
}
