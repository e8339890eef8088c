import Dispatch
import Synchronization
import Testing

/// What handlers were given, in order. A test waits until enough has come.
public final class Deliveries<Element: Sendable>: Sendable {
  private struct State {
    var all: [Element] = []
    var waiter: (isEnough: ([Element]) -> Bool, CheckedContinuation<[Element], Never>)?
  }

  private let state = Mutex(State())

  /// Begins with nothing.
  public init() {}

  /// What has come until now.
  public var all: [Element] { state.withLock { $0.all } }

  /// Takes what a handler was given.
  public func append(_ element: Element) {
    let waiter: (CheckedContinuation<[Element], Never>, [Element])? = state.withLock { state in
      state.all.append(element)
      guard let (isEnough, continuation) = state.waiter, isEnough(state.all) else { return nil }
      state.waiter = nil
      return (continuation, state.all)
    }
    if let (continuation, all) = waiter { continuation.resume(returning: all) }
  }

  /// Waits until it is enough; one test waits at a time.
  ///
  /// - Parameter isEnough: Whether what has come is enough; it is asked under the lock.
  /// - Returns: What has come. After ten minutes, which guard against hanging, the test fails, and it is less.
  @discardableResult
  public func wait(until isEnough: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
    let guardian = DispatchWorkItem { [weak self] in self?.giveUp() }
    DispatchQueue.global().asyncAfter(deadline: .now() + 600, execute: guardian)
    defer { guardian.cancel() }
    return await withCheckedContinuation { continuation in
      let all: [Element]? = state.withLock { state in
        if isEnough(state.all) { return state.all }
        state.waiter = (isEnough, continuation)
        return nil
      }
      if let all { continuation.resume(returning: all) }
    }
  }

  private func giveUp() {
    let waiter: (CheckedContinuation<[Element], Never>, [Element])? = state.withLock { state in
      guard let (_, continuation) = state.waiter else { return nil }
      state.waiter = nil
      return (continuation, state.all)
    }
    guard let (continuation, all) = waiter else { return }
    Issue.record("after ten minutes there is no more than \(all)")
    continuation.resume(returning: all)
  }

  /// Waits for so many.
  ///
  /// - Parameter count: How many; 0 or more.
  /// - Returns: What has come, these or more.
  @discardableResult
  public func wait(count: Int) async -> [Element] { await wait { $0.count >= count } }
}
