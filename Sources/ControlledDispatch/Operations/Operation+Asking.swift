import Interleaving

// What Foundation asks an operation: a class may override the answer, and nobody can tell whether it does. So every class
// is asked. Where it asks `super`, it is told what Foundation knows there, and that is no step.

extension Operation {
  /// What `isFinished` says.
  ///
  /// - Parameter answer: What it says where no class overrides it.
  func isFinished(given answer: Bool) -> Bool {
    ask("Operation") { record in
      record.finished[control.strand] = answer
      defer { record.finished[control.strand] = nil }
      return isFinished
    }
  }

  /// What `isReady` says.
  ///
  /// - Parameter answer: What it says where no class overrides it.
  func isReady(given answer: Bool) -> Bool {
    ask("OperationQueue") { record in
      record.ready[control.strand] = answer
      defer { record.ready[control.strand] = nil }
      return isReady
    }
  }

  private func ask(_ asker: String, _ question: (OperationRecord) -> Bool) -> Bool {
    let control = control
    return control.asking(for: asker) { question(record(control)) }
  }

  /// It has posted that `isFinished` has changed.
  ///
  /// - Parameter asker: Who asks whether it has.
  func finishIfSo(for asker: String = "Operation") {
    guard control.asking(for: asker, { isFinished }) else { return }
    perform([use(.store, of: lifecycle)], "finishes")
    if record(control).phase != .finished { finish() }
  }

  /// It has posted that `isReady` has changed.
  func tellThatReadinessHasChanged() {
    perform([use(.put, of: news)], "posts isReady of")
    let record = record(control)
    if record.isAsked, isReady(given: false) { perform([use(.force, of: holds)], "forces on") }
  }

  /// Whether it has to be asked in the end, since `isReady` may be its own; it is about to be queued.
  ///
  /// What has no dependencies is asked at once, and not again if it is ready.
  func mustBeAsked(_ record: OperationRecord) -> Bool {
    guard record.phase == .idle, type(of: self) != BlockOperation.self else { return false }
    return !record.dependencies.isEmpty || !isReady(given: true)
  }

  /// Waits on its own strand until it says that it is ready.
  func waitUntilReady(in queue: OperationQueue, _ record: OperationRecord, _ control: Control) {
    // Where it does not ask `super`, dependencies mean nothing.
    if isReady(given: false) { perform([use(.force, of: holds)], "forces on") }
    perform([use(.proceed, of: holds)], "asks for isReady of")
    while record.phase == .queued, !isReady(given: true) {
      perform([use(.take, of: news)], "asks again for isReady of")
    }
    guard queue.isLimited(control) else { return }
    queue.arrange(control, "lets", self) { slots in
      // One that cancels it at the same time does not hold it back once more.
      record.isAsked = false
      slots.force(self, isAsked: false)
    }
  }
}
