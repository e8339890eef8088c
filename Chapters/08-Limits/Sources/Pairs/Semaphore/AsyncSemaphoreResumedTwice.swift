extension ResumedTwice {
  /// A line of numbers, and the continuations by number.
  actor AsyncSemaphore {
    private(set) var free: Int
    private var line: [Int] = []
    private var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    private var lastID = 0

    init(permits: Int) { free = permits }

    func wait() async throws {
      if free > 0 {
        free -= 1
        return
      }
      lastID += 1
      let id = lastID
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Void, any Error>) in
          if Task.isCancelled { return continuation.resume(throwing: CancellationError()) }
          line.append(id)
          continuations[id] = continuation
        }
      } onCancel: {
        Task { await cancel(id) }
      }
    }

    /// Takes the first out of the line. Its continuation stays in the dictionary, where a cancellation finds it.
    func signal() {
      if line.isEmpty {
        free += 1
        return
      }
      continuations[line.removeFirst()]?.resume()
    }

    private func cancel(_ id: Int) {
      line.removeAll { $0 == id }
      continuations.removeValue(forKey: id)?.resume(throwing: CancellationError())
    }
  }
}
