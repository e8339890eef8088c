import Foundation

extension Sequence where Self: Sendable, Element: Operation {
  /// Waits until all of them have ended, in whatever queues they are. When the task is cancelled, they are, too.
  func ended() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let last = BlockOperation { continuation.resume() }
        for operation in self { last.addDependency(operation) }
        // A queue of its own, where nobody else cancels it.
        let queue = OperationQueue()
        queue.addOperation(last)
        // On Linux, it may miss the end of an operation that ends meanwhile. This lets the queue look once more.
        queue.isSuspended = false
      }
    } onCancel: {
      for operation in self { operation.cancel() }
    }
  }
}
