extension Forgetful {
  /// Requests over one connection. Each waits for the answer with its number.
  actor Requests {
    private var waiting: [Int: CheckedContinuation<String?, Never>] = [:]
    private var isClosed = false

    /// The answer; `nil` when the connection is closed.
    func answer(to number: Int) async -> String? {
      guard !isClosed else { return nil }
      return await withCheckedContinuation { waiting[number] = $0 }
    }

    func receive(_ answer: String, to number: Int) {
      waiting.removeValue(forKey: number)?.resume(returning: answer)
    }

    /// Refuses what comes later. Those who wait already are in nobody's mind.
    func close() { isClosed = true }
  }
}
