// The first idea of a port is a stream that cancels its source at its end.

import Dispatch
// expected-warning@-1 {{add '@preconcurrency' to treat 'Sendable'-related errors from module 'Dispatch' as warnings}}

func signals(_ signal: Int32) -> AsyncStream<Void> {
  AsyncStream { continuation in
    let source = DispatchSource.makeSignalSource(signal: signal)
    source.setEventHandler { continuation.yield() }
    continuation.onTermination = { _ in source.cancel() }
    // expected-error@-1 {{capture of 'source' with non-Sendable type 'any DispatchSourceSignal' in a '@Sendable' closure}}
    source.activate()
  }
}
