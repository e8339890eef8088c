import Foundation

/// An answer, or none in time.
enum Reply: Equatable, Sendable {
  case answer(Int)
  case timedOut
}

/// A request that ends with its answer, or when its time is over.
///
/// Its known bug: the timer is cancelled when the answer comes, but by then it may have begun; and an answer that comes
/// late ends the operation again.
extension Wrong {
  final class Request: Operation, @unchecked Sendable {
    // Sendable: `timer` is set before the request is sent, and the flags are used under `lock` only.
    private let lock = NSLock()
    private let limit: DispatchTimeInterval
    private let send: @Sendable (_ reply: @escaping @Sendable (Int) -> Void) -> Void
    private let completion: @Sendable (Reply) -> Void
    private var timer: DispatchWorkItem?
    private var hasBegun = false
    private var hasEnded = false

    init(
      limit: DispatchTimeInterval,
      send: @escaping @Sendable (_ reply: @escaping @Sendable (Int) -> Void) -> Void,
      completion: @escaping @Sendable (Reply) -> Void
    ) {
      self.limit = limit
      self.send = send
      self.completion = completion
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && !hasEnded } }
    override var isFinished: Bool { lock.withLock { hasEnded } }

    override func start() {
      willChangeValue(for: \.isExecuting)
      lock.withLock { hasBegun = true }
      didChangeValue(for: \.isExecuting)
      let timer = DispatchWorkItem { self.end(.timedOut) }
      self.timer = timer
      DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: timer)
      send { number in
        self.timer?.cancel()
        self.end(.answer(number))
      }
    }

    private func end(_ reply: Reply) {
      completion(reply)
      willChangeValue(for: \.isFinished)
      lock.withLock { hasEnded = true }
      didChangeValue(for: \.isFinished)
    }
  }
}

extension Right {
  final class Request: Operation, @unchecked Sendable {
    // Sendable: `timer` is set before the request is sent, and the flags are used under `lock` only.
    private let lock = NSLock()
    private let limit: DispatchTimeInterval
    private let send: @Sendable (_ reply: @escaping @Sendable (Int) -> Void) -> Void
    private let completion: @Sendable (Reply) -> Void
    private var timer: DispatchWorkItem?
    private var hasBegun = false
    private var hasReply = false
    private var hasEnded = false

    init(
      limit: DispatchTimeInterval,
      send: @escaping @Sendable (_ reply: @escaping @Sendable (Int) -> Void) -> Void,
      completion: @escaping @Sendable (Reply) -> Void
    ) {
      self.limit = limit
      self.send = send
      self.completion = completion
    }

    override var isAsynchronous: Bool { true }
    override var isExecuting: Bool { lock.withLock { hasBegun && !hasEnded } }
    override var isFinished: Bool { lock.withLock { hasEnded } }

    override func start() {
      willChangeValue(for: \.isExecuting)
      lock.withLock { hasBegun = true }
      didChangeValue(for: \.isExecuting)
      let timer = DispatchWorkItem { self.end(.timedOut) }
      self.timer = timer
      DispatchQueue.global().asyncAfter(deadline: .now() + limit, execute: timer)
      send { number in
        self.timer?.cancel()
        self.end(.answer(number))
      }
    }

    private func end(_ reply: Reply) {
      lock.lock()
      let isFirst = !hasReply
      hasReply = true
      lock.unlock()
      guard isFirst else { return }
      completion(reply)
      willChangeValue(for: \.isFinished)
      lock.withLock { hasEnded = true }
      didChangeValue(for: \.isFinished)
    }
  }
}
