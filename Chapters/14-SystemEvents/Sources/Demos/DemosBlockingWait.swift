import Foundation
import Synchronization
import Workbook

extension Demo {
  static let blockingWait = Demo(
    "blocking-wait",
    asks: "A supervisor is sent SIGTERM while it waits for its child. How does the child end?",
    sides: [
      .hazard(
        .before, "waitid on the queue of the signals", waiting,
        .surprising("hang", "the queue waits for the child, and the child for the queue"),
        .forbidden("ended by SIGTERM")
      )
      .code("ChildBlockingWait.swift", "queue.async"),
      .hazard(
        .before, "process source", source, .allowed("ended by SIGTERM"), .forbidden("hang")
      )
      .code("ChildSource.swift", "source.setEventHandler"),
      .hazard(
        .after, "await of its end", awaiting, .allowed("ended by SIGTERM"), .forbidden("hang")
      )
      .code("ChildAsync.swift", "await ending"),
    ])

  private static let waiting = Hazard("system-events/blocking-wait") { transcript in
    supervising { queue, ended in
      let child = try BlockingWait.Child(spawning: service, queue: queue, whenEnded: ended)
      transcript.aboutToBlock("waitid")
      return { child.send(.terminate) }
    }
  }

  private static let source = Hazard("system-events/process-source") { transcript in
    supervising { queue, ended in
      let child = try Sourced.Child(spawning: service, queue: queue, whenEnded: ended)
      return { child.send(.terminate) }
    }
  }

  private static let awaiting = Hazard.task("system-events/exit-status") { _ in
    do {
      let signals = try await Async.Signals(of: [.terminate])
      let child = try Async.Child(spawning: service)
      kill(getpid(), SIGTERM)
      for await _ in signals { break }
      child.send(.terminate)
      return try await "\(child.exitStatus())"
    } catch { return "\(error)" }
  }
}

private let service = Command(path: "/bin/sleep", arguments: ["1000"])

/// Begins a child and hands SIGTERM on to it, both on one queue. In a process of its own, because signals are for a
/// whole process.
private func supervising(
  _ begin: (
    DispatchQueue, @escaping @Sendable (Result<TerminationStatus, SystemError>) -> Void
  ) throws -> @Sendable () -> Void
) -> String {
  let queue = DispatchQueue(label: "supervisor")
  let (isReady, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  let terminate = Mutex<(@Sendable () -> Void)?>(nil)
  let end = Mutex("")
  do {
    let signals = try Sourced.Signals(
      of: [.terminate], queue: queue, whenReady: { _ in isReady.signal() },
      whenSignal: { _ in terminate.withLock { $0 }?() })
    isReady.wait()
    // The source may call its event handler right behind its registration handler, before any block that waits.
    queue.sync {}
    let send = try begin(queue) { result in
      end.withLock { $0 = (try? "\(result.get())") ?? "\(result)" }
      isOver.signal()
    }
    terminate.withLock { $0 = send }
    kill(getpid(), SIGTERM)
    isOver.wait()
    return withExtendedLifetime(signals) { end.withLock { $0 } }
  } catch { return "\(error)" }
}
