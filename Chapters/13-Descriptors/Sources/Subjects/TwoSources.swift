import Dispatch
import Foundation
import Synchronization
import Workbook

extension Subject {
  static let twoSources = Subject(
    "two-sources",
    asks: "A socket is closed as it sends, and another is opened. Where do its bytes go?",
    right: .allowed("to its own peer"), .allowed("nowhere"), .forbidden("to another peer"),
    implementations: [
      .before(
        "the read source closes",
        .surprising(
          "to another peer", "the write source did not know, and the number was given again"
        )
        .onlyExplored
      ) { (_: Stage) in
        let (sockets, isOver) = (Sockets(), DispatchSemaphore(value: 0))
        let connection = FirstCloses.Connection(
          taking: sockets.nearThatDoesNotBlock(), output: [1], whenRead: { _ in },
          whenClosed: { isOver.signal() })
        return sockets.meet(cancel: connection.cancel) { isOver.wait() }
      }
      .code("ConnectionFirstCloses.swift", "reading.setCancelHandler")
      .notPlayed("which source is faster is up to Dispatch"),
      .before("both sources must have ended") { (_: Stage) in
        let (sockets, isOver) = (Sockets(), DispatchSemaphore(value: 0))
        let queue = DispatchQueue(label: "connection")
        let connection = try Sourced.Connection(
          taking: sockets.first.near, queue: queue, whenRead: { _, _ in },
          whenOver: { _ in isOver.signal() })
        queue.async { connection.write([1]) }
        return sockets.meet(cancel: connection.cancel) { isOver.wait() }
      }
      .code("ConnectionSource.swift", "sources.notify"),
      .after("a number for each") { _ in
        let (sockets, isOver) = (Sockets(), Gate())
        let connection = try Async.Connection(taking: sockets.first.near) { isOver.open() }
        let writer = Task { try await connection.write([1]) }
        return await sockets.meet(cancel: connection.close) {
          await isOver.wait()
          _ = await writer.result
        }
      }
      .code("ConnectionAsync.swift", "let second"),
    ])
}

/// A pair of sockets that is closed, and the next one, which may get its numbers.
private final class Sockets: Sendable {
  let first = socketEnds()

  func nearThatDoesNotBlock() -> Int32 {
    _ = fcntl(first.near, F_SETFL, O_NONBLOCK)
    return first.near
  }

  func meet(cancel: () -> Void, wait: () -> Void) -> String {
    cancel()
    let next = socketEnds()
    wait()
    return end(next)
  }

  func meet(cancel: () -> Void, wait: () async -> Void) async -> String {
    cancel()
    let next = socketEnds()
    await wait()
    return end(next)
  }

  /// Closes all, and says whose peer has a byte.
  private func end(_ next: (near: Int32, far: Int32)) -> String {
    _ = close(next.near)
    let (own, other) = (hasByte(first.far), hasByte(next.far))
    return other ? "to another peer" : own ? "to its own peer" : "nowhere"
  }

  private func hasByte(_ far: Int32) -> Bool {
    defer { _ = close(far) }
    var byte: UInt8 = 0
    return recv(far, &byte, 1, Int32(MSG_DONTWAIT)) == 1
  }
}
