import Foundation
import Synchronization
import Workbook

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Subject {
  static let cancelledDelay = Subject(
    "cancelled-delay",
    asks: "The server is overloaded, and the search is cancelled in the delay. Is it asked again?",
    right: .allowed("1 request, cancelled"), .forbidden("1 request, 500"),
    implementations: [
      .before(
        "a delay without a cancel",
        .surprising("2 requests, 500", "nobody told the delay")
      ) { _ in
        await cancelling { network, delays in
          Unheard.RetryingTransport(transport: network, policy: twice, later: delays.later)
        }
      }
      .code("RetryingTransportUnheard.swift", "_ = later(delay)")
      .alwaysWrong,
      .before("a delay that is cancelled") { _ in
        await cancelling { network, delays in
          CalledBack.RetryingTransport(transport: network, policy: twice, later: delays.later)
        }
      }
      .code("RetryingTransportCallback.swift", "@Sendable func cancel()"),
      .after(
        "try? around the sleep",
        .surprising("2 requests, cancelled", "the sleep ends at once, and its error is dropped")
      ) { _ in
        await cancellingTask { network, clock in
          Unheard.AsyncRetryingTransport(transport: network, policy: twice, clock: clock)
        }
      }
      .code("RetryingTransportUnheard.swift", "try? await clock.sleep")
      .alwaysWrong,
      .after("try around the sleep") { _ in
        await cancellingTask { network, clock in
          Async.RetryingTransport(transport: network, policy: twice, clock: clock)
        }
      }
      .code("RetryingTransportAsync.swift", "try await clock.sleep"),
    ])
}

private let twice = RetryPolicy(attempts: 2) { 1 }

/// Sends a request, cancels it in the delay behind its first attempt, and lets the time of the delay come.
private func cancelling(
  _ retrying: (Network, Delays) -> any CallbackTransport
) async -> String {
  let (network, delays) = (Network(.error500), Delays())
  let cancel = Cancellation()
  let answer = await result { completion in
    cancel.begun(retrying(network, delays).send(.search, then: completion))
    delays.whenOneBegins {
      cancel.cancel()
      delays.end()
    }
  }
  return outcome(network, answer)
}

private func cancellingTask(
  _ retrying: (Network, any Clock<Duration>) -> any Transport
) async -> String {
  let (network, clock) = (Network(.error500), VirtualClock())
  let transport = retrying(network, clock)
  let task = Task { try await transport.send(.search) }
  await clock.waitForSleepers(1)
  task.cancel()
  return outcome(network, await task.result)
}

private func outcome(_ network: Network, _ answer: Result<Response, any Error>) -> String {
  let told: String
  switch answer {
  case .success(let response): told = "\(response.status)"
  case .failure(let error): told = error is CancellationError ? "cancelled" : "\(error)"
  }
  return "\(network.requests) request\(network.requests == 1 ? "" : "s"), \(told)"
}

/// Delays that end when they are told to.
private final class Delays: Sendable {
  private struct State {
    var block: (@Sendable () -> Void)?
    var listener: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  @Sendable func later(_: Duration, _ block: @escaping @Sendable () -> Void) -> Cancel {
    let listener = state.withLock { state in
      state.block = block
      return state.listener.take()
    }
    listener?()
    return { self.state.withLock { $0.block = nil } }
  }

  /// Calls a listener on the thread on which a delay begins, or at once.
  func whenOneBegins(_ listener: @escaping @Sendable () -> Void) {
    let hasBegun = state.withLock { state in
      if state.block == nil { state.listener = listener }
      return state.block != nil
    }
    if hasBegun { listener() }
  }

  func end() { state.withLock { $0.block.take() }?() }
}
