import Foundation
import Synchronization

/// Hands over one element at a time: a sender waits until somebody has it, or is cancelled.
///
/// A state machine under a lock, which resumes nobody while the lock is held.
final class Channel<Element: Sendable>: Sendable {
  private struct Waiter<Value> {
    let id: UUID
    let value: Value
  }
  private typealias Sender = (element: Element, continuation: CheckedContinuation<Bool, Never>)
  private typealias Receiver = CheckedContinuation<Element?, Never>

  private struct State {
    var senders: [Waiter<Sender>] = []
    var receivers: [Waiter<Receiver>] = []
    var isFinished = false
  }
  private let state = Mutex(State())

  /// - Returns: Whether somebody has it; nobody has where the sender was cancelled, or the channel is finished.
  func send(_ element: Element) async -> Bool {
    let id = UUID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (receiver, result): (Receiver?, Bool?) = state.withLock { state in
          if Task.isCancelled || state.isFinished { return (nil, false) }
          if !state.receivers.isEmpty { return (state.receivers.removeFirst().value, true) }
          state.senders.append(Waiter(id: id, value: (element, continuation)))
          return (nil, nil)
        }
        receiver?.resume(returning: element)
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let sender = state.withLock { state in
        state.senders.firstIndex { $0.id == id }.map { state.senders.remove(at: $0).value }
      }
      sender?.continuation.resume(returning: false)
    }
  }

  /// - Returns: The next element; nil if the receiver was cancelled, or the channel is finished.
  func receive() async -> Element? {
    let id = UUID()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (sender, result): (Sender?, Element??) = state.withLock { state in
          if Task.isCancelled || state.isFinished { return (nil, .some(nil)) }
          if !state.senders.isEmpty {
            let sender = state.senders.removeFirst().value
            return (sender, sender.element)
          }
          state.receivers.append(Waiter(id: id, value: continuation))
          return (nil, nil)
        }
        sender?.continuation.resume(returning: true)
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let receiver = state.withLock { state in
        state.receivers.firstIndex { $0.id == id }.map { state.receivers.remove(at: $0).value }
      }
      receiver?.resume(returning: nil)
    }
  }

  /// Lets whoever waits go on in vain.
  func finish() {
    let (senders, receivers) = state.withLock { state in
      defer { state = State(isFinished: true) }
      return (state.senders, state.receivers)
    }
    for sender in senders { sender.value.continuation.resume(returning: false) }
    for receiver in receivers { receiver.value.resume(returning: nil) }
  }
}

/// Pairs of what two sequences give, for as long as both do.
func zip<First: AsyncSequence & Sendable, Second: AsyncSequence & Sendable>(
  _ first: First, _ second: Second
) async throws -> [(First.Element, Second.Element)]
where First.Element: Sendable, Second.Element: Sendable {
  let (left, right) = (Channel<First.Element>(), Channel<Second.Element>())
  return try await withThrowingTaskGroup { group in
    group.addTask { try await send(first, to: left) }
    group.addTask { try await send(second, to: right) }
    var pairs: [(First.Element, Second.Element)] = []
    while let one = await left.receive(), let other = await right.receive() {
      pairs.append((one, other))
    }
    group.cancelAll()
    try await group.waitForAll()
    return pairs
  }
}

/// What several sequences give, as it comes.
func merge<Sequence: AsyncSequence & Sendable>(_ sequences: [Sequence]) async throws
  -> [Sequence.Element]
where Sequence.Element: Sendable {
  let channel = Channel<Sequence.Element>()
  return try await withThrowingTaskGroup { group in
    group.addTask {
      try await withThrowingTaskGroup { senders in
        for sequence in sequences {
          senders.addTask {
            for try await element in sequence where await !channel.send(element) { return }
          }
        }
        try await senders.waitForAll()
      }
      channel.finish()
    }
    var elements: [Sequence.Element] = []
    while let element = await channel.receive() { elements.append(element) }
    try await group.waitForAll()
    return elements
  }
}

private func send<Sequence: AsyncSequence>(
  _ sequence: Sequence, to channel: Channel<Sequence.Element>
) async throws {
  for try await element in sequence where await !channel.send(element) { return }
  channel.finish()
}
