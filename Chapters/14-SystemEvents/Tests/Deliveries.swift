import Dispatch
import Foundation
import Synchronization
import Testing

/// What handlers were given, in order. A test waits until enough has come.
final class Deliveries<Element: Sendable>: Sendable {
  private struct State {
    var all: [Element] = []
    var waiter: (isEnough: ([Element]) -> Bool, CheckedContinuation<[Element], Never>)?
  }

  private let state = Mutex(State())

  var all: [Element] { state.withLock { $0.all } }

  func append(_ element: Element) {
    let waiter: (CheckedContinuation<[Element], Never>, [Element])? = state.withLock { state in
      state.all.append(element)
      guard let (isEnough, continuation) = state.waiter, isEnough(state.all) else { return nil }
      state.waiter = nil
      return (continuation, state.all)
    }
    if let (continuation, all) = waiter { continuation.resume(returning: all) }
  }

  /// Waits until it is enough. One test waits at a time. After ten minutes, which guard against hanging, the test fails.
  @discardableResult
  func wait(until isEnough: @escaping @Sendable ([Element]) -> Bool) async -> [Element] {
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

  @discardableResult
  func wait(count: Int) async -> [Element] { await wait { $0.count >= count } }
}

/// What a handler captures; it tells when it is freed.
final class Context: Sendable {
  private let whenFreed: @Sendable () -> Void

  init(whenFreed: @escaping @Sendable () -> Void) { self.whenFreed = whenFreed }
  deinit { whenFreed() }

  func touch() {}
}

/// Runs what blocks on a thread of its own.
func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread { continuation.resume(returning: body()) }.start()
  }
}

/// A pair of connected sockets that no child inherits.
func socketPair() -> (near: Int32, far: Int32) {
  var ends: [Int32] = [-1, -1]
  #if canImport(Darwin)
    precondition(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
  #else
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
  #endif
  return (ends[0], ends[1])
}

/// Writes all bytes to a socket, and raises no signal if nobody reads.
@discardableResult
func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
