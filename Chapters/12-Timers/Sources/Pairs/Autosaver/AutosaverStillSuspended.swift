import Dispatch

extension StillSuspended {
  /// Saves a document each interval. It is closed when the cancel handler has come.
  // Sendable because its source is: Dispatch guards what it is told.
  final class Autosaver: @unchecked Sendable {
    private let timer: any DispatchSourceTimer
    private let isOver = DispatchSemaphore(value: 0)

    init(_ document: Document, every interval: Duration, write: @escaping Write) {
      let changes = Changes(of: document, write: write)
      timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "autosave"))
      timer.setEventHandler { try? changes.save() }
      timer.setCancelHandler { [isOver] in
        try? changes.save()
        isOver.signal()
      }
      timer.schedule(deadline: .now(), repeating: interval.interval)
      timer.activate()
    }

    func pause() { timer.suspend() }

    func close() {
      timer.cancel()
      isOver.wait()
    }
  }
}
