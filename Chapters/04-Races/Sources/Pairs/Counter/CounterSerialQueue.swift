import Dispatch

extension Queued {
  // Sendable because `count` is read and written on `queue` only.
  final class Counter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "counter")
    private var count = 0

    func increment() { queue.sync { count += 1 } }

    var value: Int { queue.sync { count } }
  }
}
