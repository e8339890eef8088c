import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let echoedMessage = Subject(
    "echoed-message",
    asks: "A client connects to a server and sends two bytes. Which answer does it get?",
    right: .allowed("its message"), .forbidden("something else"),
    implementations: [
      .before("sources") { (_: Stage) in
        let listener = try Loopback.listener()
        let port = Loopback.port(of: listener)
        let (isAnswered, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let answer = Mutex<[UInt8]>([])
        var server: Sourced.EchoServer? = try Sourced.EchoServer(
          taking: listener, limit: 1, queue: DispatchQueue(label: "server")
        ) { _ in isOver.signal() }
        let queue = DispatchQueue(label: "client")
        let client = Mutex<Sourced.Connection?>(nil)
        let connecting = try Sourced.Connecting(to: port, queue: queue) { result in
          let connection = try? Sourced.EchoClient.send(
            [1, 2], over: result.get(), queue: queue
          ) { result in
            answer.withLock { $0 = (try? result.get()) ?? [] }
            isAnswered.signal()
          }
          client.withLock { $0 = connection }
        }
        isAnswered.wait()
        server = withExtendedLifetime(connecting) { nil }
        isOver.wait()
        client.withLock { $0 = nil }
        return withExtendedLifetime(server) { told(answer.withLock { $0 }) }
      }
      .code("EchoServerSource.swift", "private func accept"),
      .after("tasks") { _ in
        let isOver = Gate()
        let number = try Loopback.listener()
        let port = Loopback.port(of: number)
        let listener = try Async.Listener(taking: number) { isOver.open() }
        let serving = Task { try await Async.serveEcho(at: listener, limit: 1) }
        let client = try await Async.connect(to: port)
        let answer = try await Async.echo([1, 2], over: client)
        client.close()
        listener.close()
        try await serving.value
        await isOver.wait()
        return told(answer)
      }
      .code("EchoServerAsync.swift", "for try await piece"),
    ])
}

private func told(_ answer: [UInt8]) -> String { answer == [1, 2] ? "its message" : "something else" }
