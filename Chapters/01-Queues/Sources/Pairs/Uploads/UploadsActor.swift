extension Isolated {
  /// One at a time, like the queue, as long as `send` does not wait; but the actor serves by priority.
  actor Uploads {
    private let send: @Sendable (Upload) -> Void
    private var tasks: [Task<Void, Never>] = []

    init(send: @escaping @Sendable (Upload) -> Void) {
      self.send = send
    }

    func submit(_ batch: [Upload]) {
      for upload in batch {
        tasks.append(Task(priority: upload.isUrgent ? .high : .low) { self.perform(upload) })
      }
    }

    private func perform(_ upload: Upload) {
      send(upload)
    }

    func finish() async {
      let submitted = tasks
      tasks = []
      for task in submitted { await task.value }
    }
  }
}
