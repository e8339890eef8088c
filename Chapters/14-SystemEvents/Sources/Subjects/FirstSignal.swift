import Foundation
import Workbook

extension Subject {
  static let firstSignal = Subject(
    "first-signal",
    asks: "A service begins to watch SIGHUP, and it is sent. Are the settings read again?",
    right: .allowed("read again"), .forbidden("not read again"),
    implementations: [
      .before(
        "sent at once",
        .surprising("not read again", "the source is registered a little later").onlyExplored
      ) { (_: Stage) in
        try service { _ in }
      }
      .code("SignalsSource.swift", "source.setRegistrationHandler")
      .whereWorkTakesNoTime.notPlayed(belongsToAll),
      .before("sent when it is ready") { (_: Stage) in
        try service { $0.wait() }
      }
      .code("SignalsSource.swift", "source.setRegistrationHandler")
      .whereWorkTakesNoTime.notPlayed(belongsToAll),
      .after("sent when it has begun") { _ in
        let isOver = Gate()
        let signals = try await Async.Signals(of: [.hangUp]) { isOver.open() }
        let settings = Task {
          for await _ in signals { return "read again" }
          return "not read again"
        }
        _ = kill(getpid(), SIGHUP)
        let result = await settings.value
        await Task {
          withUnsafeCurrentTask { $0?.cancel() }
          for await _ in signals {}
        }.value
        await isOver.wait()
        return result
      }
      .code("SignalsAsync.swift", "if let error = await Task(operation")
      .whereWorkTakesNoTime.notPlayed(belongsToAll),
    ])
}

private let belongsToAll = "a signal is for the whole process"

/// Sends a signal to a watch, and gives what came of it within a second, in which all else comes to rest.
private func service(
  _ beforeSending: (_ isReady: DispatchSemaphore) -> Void
) throws -> String {
  let (isReady, isRead) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let isOver = DispatchSemaphore(value: 0)
  let signals = try Sourced.Signals(
    of: [.hangUp], queue: DispatchQueue(label: "signals"),
    whenReady: { _ in isReady.signal() }, whenSignal: { _ in isRead.signal() },
    whenOver: { isOver.signal() })
  beforeSending(isReady)
  _ = kill(getpid(), SIGHUP)
  let result = isRead.wait(timeout: .now() + 1)
  signals.cancel()
  isOver.wait()
  return result == .success ? "read again" : "not read again"
}
