import Dispatch
import Synchronization
import Workbook

extension Subject {
  static let portMessages = Subject(
    "port-messages",
    asks: "Two threads send 1 and 2 messages to a port. In how many runs are they told?",
    right: .allowed("3 in one run"), .allowed("3 in two runs"), .forbidden("fewer than 3"),
    implementations: [
      .before("read source") { (_: Stage) in
        let told = Mutex<[UInt64]>([])
        let (isTold, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let port = try Sourced.Port(
          queue: DispatchQueue(label: "port"),
          whenSent: { count in
            let sum = told.withLock { told in
              told.append(count)
              return told.reduce(0, +)
            }
            if sum == 3 { isTold.signal() }
          }, whenClosed: { isOver.signal() })
        let sender = DispatchQueue(label: "sender")
        sender.async { try? port.send(1) }
        try port.send(2)
        isTold.wait()
        sender.sync {}
        port.close()
        isOver.wait()
        return inRuns(told.withLock { $0 })
      }
      .code("PortSource.swift", "source.setEventHandler"),
      .after("sequence") { _ in
        let isOver = Gate()
        let port = try Async.Port { isOver.open() }
        let sender = Task { try port.send(1) }
        try port.send(2)
        var told: [UInt64] = []
        for await count in port {
          told.append(count)
          if told.reduce(0, +) == 3 { port.close() }
        }
        try await sender.value
        await isOver.wait()
        return inRuns(told)
      }
      .code("PortAsync.swift", "port.readiness.perform"),
    ])
}

private func inRuns(_ told: [UInt64]) -> String {
  let sum = told.reduce(0, +)
  return sum < 3 ? "fewer than 3" : "\(sum) in \(told.count == 1 ? "one run" : "two runs")"
}
