import Foundation
import Synchronization
import Workbook

extension Subject {
  static let echoedMessage = Subject(
    "echoed-message",
    asks: "A client has sent two bytes and ends its sending. What does the server send back?",
    right: .allowed("both"), .forbidden("something else"),
    implementations: [
      .before("sources") { (_: Stage) in
        let (client, isOver) = (Client(), DispatchSemaphore(value: 0))
        let server = try Sourced.Connection(
          taking: client.server, readsAlways: false, queue: DispatchQueue(label: "server"),
          whenRead: { $0.write($1) }, whenOver: { _ in isOver.signal() })
        isOver.wait()
        return withExtendedLifetime(server) { client.end() }
      }
      .code("EchoServerSource.swift", "taking: number, readsAlways"),
      .after("a task") { _ in
        let (client, isOver) = (Client(), Gate())
        let server = try Async.Connection(taking: client.server) { isOver.open() }
        try await Async.echo(server)
        await isOver.wait()
        return client.end()
      }
      .code("EchoServerAsync.swift", "for try await piece"),
    ])
}

/// A client that has sent and reads when the server is done.
private struct Client {
  let server: Int32
  private let own: Int32

  init() {
    (own, server) = socketEnds()
    sendAll([1, 2], over: own)
    shutdown(own, Int32(SHUT_WR))
  }

  func end() -> String {
    let answer = receiveAll(3, over: own)
    _ = close(own)
    return answer == [1, 2] ? "both" : "something else"
  }
}
