import Dispatch

/// A stock that is read with `sync` and written with a barrier.
///
/// Its known bug: the queue is a global one, on which a barrier is none.
extension Wrong {
  final class Stock: @unchecked Sendable {
    // Sendable: it is not. A global queue runs a barrier beside other items.
    private let queue = DispatchQueue.global(qos: .userInitiated)
    private var pieces = 0

    func add(_ count: Int) { queue.sync(flags: .barrier) { pieces += count } }

    var count: Int { queue.sync { pieces } }
  }
}

extension Right {
  final class Stock: @unchecked Sendable {
    // Sendable: `pieces` is used on `queue` only.
    private let queue = DispatchQueue(
      label: "stock", qos: .userInitiated, attributes: .concurrent)
    private var pieces = 0

    func add(_ count: Int) { queue.sync(flags: .barrier) { pieces += count } }

    var count: Int { queue.sync { pieces } }
  }
}
