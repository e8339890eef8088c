/// One call of a queue within another, of which the queues' kinds say what becomes of it.
struct Kinds: Hashable, Codable, Sendable, CustomStringConvertible {
  enum Outer: String, CaseIterable, Codable, Sendable {
    case serialSync, serialAsync, concurrentSync, concurrentAsync, barrierSync, barrierAsync,
      globalSync, globalAsync, mainAsync, onConcurrentTarget, onSerialTarget
  }

  enum Inner: String, CaseIterable, Codable, Sendable {
    case sync, async, barrierSync, barrierAsync
    /// `concurrentPerform`, of iterations that do nothing or call sync on the queue.
    case perform, performSync

    var isPerform: Bool { self == .perform || self == .performSync }
  }

  enum Place: String, CaseIterable, Codable, Sendable { case same, sibling, target }

  let outer: Outer
  let inner: Inner
  let place: Place

  static let all: [Kinds] = Outer.allCases.flatMap { outer in
    let hasTarget = outer == .onConcurrentTarget || outer == .onSerialTarget
    return (hasTarget ? Place.allCases : [.same]).flatMap { place in
      Inner.allCases.map { Kinds(outer: outer, inner: $0, place: place) }
    }
  }

  var description: String { "\(outer) \(inner) \(place)" }
}

/// A queue, real or not.
protocol KindQueue: Sendable {
  init(_ label: String, isConcurrent: Bool, target: Self?)
  static var global: Self { get }
  static var main: Self { get }
  static func perform(_ iterations: Int, _ work: @Sendable (Int) -> Void)
  func sync(isBarrier: Bool, _ work: () -> Void)
  func async(isBarrier: Bool, _ work: @escaping @Sendable () -> Void)
}

extension Kinds {
  /// Makes the calls.
  ///
  /// - Parameter say: Called with `[` where the outer block begins, `]` where it ends, and `i` when the inner
  ///   block runs, or the iterations have ended.
  func play<Queue: KindQueue>(_: Queue.Type, _ say: @escaping @Sendable (Character) -> Void) {
    func make(_ label: String, isConcurrent: Bool = false, on target: Queue? = nil) -> Queue {
      Queue(label, isConcurrent: isConcurrent, target: target)
    }
    let target = make("target", isConcurrent: outer == .onConcurrentTarget)
    let queue =
      switch outer {
      case .serialSync, .serialAsync: make("queue")
      case .concurrentSync, .concurrentAsync, .barrierSync, .barrierAsync:
        make("queue", isConcurrent: true)
      case .globalSync, .globalAsync: Queue.global
      case .mainAsync: Queue.main
      case .onConcurrentTarget, .onSerialTarget: make("queue", on: target)
      }
    let other =
      switch place {
      case .same: queue
      case .sibling: make("sibling", on: target)
      case .target: target
      }
    let work: @Sendable () -> Void = {
      say("[")
      call(other) { say("i") }
      say("]")
    }
    switch outer {
    case .serialSync, .concurrentSync, .globalSync: queue.sync(isBarrier: false, work)
    case .barrierSync: queue.sync(isBarrier: true, work)
    case .barrierAsync: queue.async(isBarrier: true, work)
    default: queue.async(isBarrier: false, work)
    }
  }

  private func call<Queue: KindQueue>(_ queue: Queue, _ work: @escaping @Sendable () -> Void) {
    switch inner {
    case .sync, .barrierSync: queue.sync(isBarrier: inner == .barrierSync, work)
    case .async, .barrierAsync: queue.async(isBarrier: inner == .barrierAsync, work)
    case .perform:
      Queue.perform(2) { _ in }
      work()
    case .performSync:
      Queue.perform(2) { _ in queue.sync(isBarrier: false) {} }
      work()
    }
  }
}
