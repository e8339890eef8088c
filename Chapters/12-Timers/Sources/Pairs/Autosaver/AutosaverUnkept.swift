import Dispatch

extension Unkept {
  /// Saves a document after a while. The timer is a local variable, and nobody else has it.
  static func saveLater(
    _ document: Document, after delay: Duration, on queue: DispatchQueue, write: @escaping Write
  ) {
    let changes = Changes(of: document, write: write)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.setEventHandler { try? changes.save() }
    timer.schedule(deadline: .now() + delay.interval)
    timer.activate()
  }
}
