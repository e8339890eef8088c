import Dispatch

extension Queued {
  /// Calls back once: with what work comes to, or with ``TimedOut`` when its time is over.
  // Sendable because `pending` is used on its queue only.
  final class TimeLimit<Value: Sendable>: @unchecked Sendable {
    typealias Completion = @Sendable (Result<Value, any Error>) -> Void

    private var pending: (completion: Completion, cancel: () -> Void)?

    /// - Parameters:
    ///   - queue: A serial one, on which all is called.
    ///   - work: Begins what takes time, and returns what cancels it.
    init(
      _ limit: Duration, on queue: DispatchQueue,
      work: @escaping @Sendable (@escaping Completion) -> @Sendable () -> Void,
      then completion: @escaping Completion
    ) throws(TimingError) {
      let limit = try limit.checked(as: .delay)
      let deadline = DispatchTime.now() + limit.interval
      queue.async {
        let cancel = work { result in
          queue.async { self.pending.take()?.completion(result) }
        }
        self.pending = (completion, cancel)
        // When the work has ended, this keeps an object that keeps nothing.
        queue.asyncAfter(deadline: deadline) {
          guard let (completion, cancel) = self.pending.take() else { return }
          completion(.failure(TimedOut(limit: limit)))
          cancel()
        }
      }
    }
  }
}
