// The first idea of a port is a stream that cancels its source at its end.

import Dispatch
// expected-warning@-1 {{add '@preconcurrency' to treat 'Sendable'-related errors from module 'Dispatch' as warnings}}

func pieces(of descriptor: Int32) -> AsyncStream<UInt> {
  AsyncStream { continuation in
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler { continuation.yield(source.data) }
    continuation.onTermination = { _ in source.cancel() }
    // expected-error@-1 {{capture of 'source' with non-Sendable type 'any DispatchSourceRead' in a '@Sendable' closure}}
    source.activate()
  }
}
