/// One at a time, like the queue; but the actor serves by priority.
public actor UploadsActor: Uploads {
  private let send: @Sendable (Upload) -> Void
  private var tasks: [Task<Void, Never>] = []

  public init(send: @escaping @Sendable (Upload) -> Void) {
    self.send = send
  }

  public func submit(_ batch: [Upload]) {
    for upload in batch {
      tasks.append(Task(priority: upload.isUrgent ? .high : .low) { self.perform(upload) })
    }
  }

  private func perform(_ upload: Upload) {
    send(upload)
  }

  public func finish() async {
    let submitted = tasks
    tasks = []
    for task in submitted { await task.value }
  }
}
