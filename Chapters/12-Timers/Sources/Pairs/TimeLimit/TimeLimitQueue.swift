import Dispatch

extension Queued {
  /// Calls back once: with what work comes to, or with ``TimedOut`` when its time is over.
  // Sendable because `completion` is used on `queue` only.
  final class TimeLimit<Value: Sendable>: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Value, any Error>) -> Void

    private let queue: DispatchQueue
    private var completion: Completion?

    /// - Parameter work: Begins what takes time, and returns what cancels it.
    init(
      _ limit: Duration, on queue: DispatchQueue,
      work: (@escaping Completion) -> @Sendable () -> Void, then completion: @escaping Completion
    ) throws(TimingError) {
      let limit = try limit.checked(as: .delay)
      self.queue = queue
      self.completion = completion
      let cancel = work { result in self.queue.async { self.end(with: result) } }
      queue.asyncAfter(deadline: .now() + limit.interval) {
        if self.end(with: .failure(TimedOut(limit: limit))) { cancel() }
      }
    }

    /// - Returns: Whether it is the first result.
    @discardableResult private func end(with result: Result<Value, any Error>) -> Bool {
      guard let completion = completion.take() else { return false }
      completion(result)
      return true
    }
  }
}
