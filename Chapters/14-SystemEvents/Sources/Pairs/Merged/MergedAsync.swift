import Synchronization

extension Async {
  /// Values from any thread for one task. Those that come while it does something else are merged into one.
  final class Merged<Value: Sendable>: AsyncSequence, Sendable {
    private struct State {
      var buffer: MergedBuffer<Value>
      var waiter: CheckedContinuation<Value?, Never>?
    }

    private let state: Mutex<State>

    init(_ rule: MergingRule<Value>) {
      state = Mutex(State(buffer: MergedBuffer(rule: rule)))
    }

    /// Sends a value. After the end it is ignored.
    func send(_ value: Value) { deliver { $0.send(value) } }

    /// Ends the sequence, after a value that waits.
    func finish() { deliver { $0.finish() } }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let merged: Merged

      func next(isolation: isolated (any Actor)?) async -> Value? {
        await withTaskCancellationHandler {
          await withCheckedContinuation { merged.ask($0) }
        } onCancel: {
          merged.deliver { $0.cancel() }
        }
      }
    }

    func makeAsyncIterator() -> Iterator { Iterator(merged: self) }

    private func ask(_ waiter: CheckedContinuation<Value?, Never>) {
      deliver(to: waiter) { $0.next() }
    }

    private func deliver(
      to asking: CheckedContinuation<Value?, Never>? = nil,
      _ change: (inout MergedBuffer<Value>) -> MergedBuffer<Value>.Action
    ) {
      let delivery: (CheckedContinuation<Value?, Never>?, Value?)? = state.withLock { state in
        let action = change(&state.buffer)
        if let asking { state.waiter = asking }
        guard case .deliver(let value) = action else { return nil }
        defer { state.waiter = nil }
        return (state.waiter, value)
      }
      // Outside the lock: a task that is resumed may be cancelled at once, and then takes the lock.
      if let (waiter, value) = delivery { waiter?.resume(returning: value) }
    }
  }
}
