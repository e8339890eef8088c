/// What one schedule did, step by step: one column a task.
public struct Trace: Hashable, Sendable {
  /// One step: all that a task did from one suspension to the next.
  public struct Step: Hashable, Sendable {
    /// The index of the task in ``Trace/tasks``.
    public let task: Int
    /// The actor that it ran on, if any.
    public let actor: String?
    /// What it did, in words.
    public let notes: [String]

    package init(task: Int, actor: String?, notes: [String]) {
      self.task = task
      self.actor = actor
      self.notes = notes
    }
  }

  /// The tasks that took steps, in the order in which they were born.
  public let tasks: [String]
  /// The steps, in the order of the schedule.
  public let steps: [Step]

  package init(tasks: [String], steps: [Step]) {
    self.tasks = tasks
    self.steps = steps
  }

  /// How often the turn passed from one task to another.
  public var switches: Int {
    zip(steps, steps.dropFirst()).count { $0.task != $1.task }
  }
}
