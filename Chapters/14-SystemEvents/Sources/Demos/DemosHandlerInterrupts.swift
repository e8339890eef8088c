import Foundation
import Workbook

extension Demo {
  static let handlerInterrupts = Demo(
    "handler-interrupts",
    asks:
      "SIGHUP comes while a line is logged, and its handler logs, too. How many lines are there?",
    sides: [
      .hazard(
        .before, "handler of sigaction", interrupting,
        .surprising("hang", "it waits for a lock of the thread that it has interrupted"),
        .forbidden("2 lines")
      )
      .code("HangUpHandler.swift", "let handler:"),
      .hazard(.before, "signal source", queueing, .allowed("2 lines"), .forbidden("hang"))
        .code("SignalsSource.swift", "source.setEventHandler"),
      .hazard(.after, "sequence", awaiting, .allowed("2 lines"), .forbidden("hang"))
        .code("SignalsAsync.swift", "struct Iterator"),
    ])

  private static let interrupting = Hazard("system-events/interrupting") { transcript in
    Interrupting.logHangUps()
    transcript.aboutToBlock("a lock that its thread holds")
    // To this thread: the kernel chooses any that does not block it.
    EventLog.shared.write(raise(SIGHUP) == 0 ? "a line" : "no signal")
    return lines
  }

  private static let queueing = Hazard("system-events/queueing") { _ in
    let (isReady, isLogged) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    do {
      let signals = try Sourced.Signals(
        of: [.hangUp], queue: DispatchQueue(label: "signals"), whenReady: { _ in isReady.signal() },
        whenSignal: {
          EventLog.shared.write("\($0)")
          isLogged.signal()
        })
      isReady.wait()
      EventLog.shared.write(hangUp())
      isLogged.wait()
      return withExtendedLifetime(signals) { lines }
    } catch { return "\(error)" }
  }

  private static let awaiting = Hazard.task("system-events/awaiting-hang-up") { _ in
    do {
      let signals = try await Async.Signals(of: [.hangUp])
      EventLog.shared.write(hangUp())
      for await signals in signals {
        for signal in signals { EventLog.shared.write("\(signal)") }
        break
      }
      return lines
    } catch { return "\(error)" }
  }
}

private var lines: String { "\(EventLog.shared.count) lines" }

/// A line, in whose middle SIGHUP comes.
private func hangUp() -> String {
  kill(getpid(), SIGHUP)
  return "a line"
}
