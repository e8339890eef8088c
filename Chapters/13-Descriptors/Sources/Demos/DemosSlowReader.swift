import Foundation
import Workbook

extension Demo {
  static let slowReader = Demo(
    "slow-reader",
    asks: "A client sends 8 MiB, and nobody reads them yet. Where are they?",
    sides: [
      .after(
        "a stream of all that comes",
        .surprising("in the memory of the process", "the source reads as fast as the client sends"),
        .forbidden("with the client, but for what the kernel holds")
      ) { _ in
        let ends = socketEnds()
        _ = fcntl(ends.far, F_SETFL, O_NONBLOCK)
        let stream = Unbounded.bytes(taking: ends.far)
        let sent = await blocking { sendAsMuchAsGoes(over: ends.near, waiting: true) }
        _ = close(ends.near)
        var kept = 0
        for await bytes in stream { kept += bytes.count }
        return kept == sent && sent == size ? "in the memory of the process" : "\(kept) of \(sent)"
      }
      .code("ConnectionUnbounded.swift", "continuation.yield"),
      .after(
        "a connection that reads when it is asked",
        .allowed("with the client, but for what the kernel holds"),
        .forbidden("in the memory of the process")
      ) { _ in
        let ends = socketEnds()
        let connection = try Async.Connection(taking: ends.far)
        let sent = await blocking { sendAsMuchAsGoes(over: ends.near, waiting: false) }
        _ = close(ends.near)
        var kept = 0
        for try await bytes in connection { kept += bytes.count }
        return kept == sent && sent < 1 << 20
          ? "with the client, but for what the kernel holds" : "\(kept) of \(sent)"
      }
      .code("ReadinessAsync.swift", "state.isSuspended = true"),
    ])
}

private let size = 8 << 20

/// Sends 8 MiB, or what there is room for.
///
/// - Parameter waiting: Whether to wait for room.
private func sendAsMuchAsGoes(over descriptor: Int32, waiting: Bool) -> Int {
  let bytes = [UInt8](repeating: 1, count: size)
  var sent = 0
  while sent < size {
    let count = bytes[sent...].withUnsafeBytes {
      send(
        descriptor, $0.baseAddress, $0.count,
        withoutSignal | (waiting ? 0 : Int32(MSG_DONTWAIT)))
    }
    guard count > 0 else { break }
    sent += count
  }
  return sent
}
