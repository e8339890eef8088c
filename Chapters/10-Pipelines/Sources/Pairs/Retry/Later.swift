import Dispatch

/// Calls a block after a pause, unless it is cancelled before.
typealias Later = @Sendable (_ pause: Duration, _ block: @escaping @Sendable () -> Void) -> Cancel

func later(on queue: DispatchQueue) -> Later {
  { pause, block in
    // No work item, because that is not Sendable.
    let end = FirstResult<Void> { if case .success = $0 { block() } }
    queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { end.take(.success(())) }
    return { end.take(.failure(CancellationError())) }
  }
}
