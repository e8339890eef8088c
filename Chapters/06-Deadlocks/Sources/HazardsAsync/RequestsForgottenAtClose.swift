/// Requests over one connection. Each waits for the answer with its number.
public actor RequestsForgottenAtClose {
  private var waiting: [Int: CheckedContinuation<String?, Never>] = [:]
  private var isClosed = false

  public init() {}

  /// The answer; `nil` when the connection is closed.
  public func answer(to number: Int) async -> String? {
    guard !isClosed else { return nil }
    return await withCheckedContinuation { waiting[number] = $0 }
  }

  public func receive(_ answer: String, to number: Int) {
    waiting.removeValue(forKey: number)?.resume(returning: answer)
  }

  public func isWaited(for number: Int) -> Bool { waiting[number] != nil }

  /// Refuses what comes later. Those who wait already are in nobody's mind.
  public func close() { isClosed = true }
}
