import Dispatch

/// Calls a block after a delay, unless it is cancelled before.
typealias Later = @Sendable (_ delay: Duration, _ block: @escaping @Sendable () -> Void) -> Cancel

func later(on queue: DispatchQueue) -> Later {
  { delay, block in
    // No work item, because that is not Sendable.
    let end = FirstResult<Void> { if case .success = $0 { block() } }
    queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { end.take(.success(())) }
    return { end.take(.failure(CancellationError())) }
  }
}
