import Foundation

/// Does something once nobody has asked for it for a while.
///
/// Its known bug: it was written for the main thread and is called on others, too. Nothing guards the pending item.
extension Wrong {
  final class Debouncer: @unchecked Sendable {
    // Sendable: it is not. Several threads use `pending`.
    private let queue: DispatchQueue
    private let delay: DispatchTimeInterval
    private let action: @Sendable () -> Void
    private var pending: DispatchWorkItem?

    init(
      delay: DispatchTimeInterval, queue: DispatchQueue, action: @escaping @Sendable () -> Void
    ) {
      self.delay = delay
      self.queue = queue
      self.action = action
    }

    func call() {
      pending?.cancel()
      let item = DispatchWorkItem(block: action)
      pending = item
      queue.asyncAfter(deadline: .now() + delay, execute: item)
    }
  }
}

extension Right {
  final class Debouncer: @unchecked Sendable {
    // Sendable: `pending` is used under `lock` only.
    private let lock = NSLock()
    private let queue: DispatchQueue
    private let delay: DispatchTimeInterval
    private let action: @Sendable () -> Void
    private var pending: DispatchWorkItem?

    init(
      delay: DispatchTimeInterval, queue: DispatchQueue, action: @escaping @Sendable () -> Void
    ) {
      self.delay = delay
      self.queue = queue
      self.action = action
    }

    func call() {
      lock.withLock {
        pending?.cancel()
        let item = DispatchWorkItem(block: action)
        pending = item
        queue.asyncAfter(deadline: .now() + delay, execute: item)
      }
    }
  }
}
