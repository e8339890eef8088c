/// What one schedule did, step by step: one column a task.
public struct Trace: Hashable, Sendable {
  /// Something that a step does, in words.
  public struct Note: Hashable, Sendable {
    /// What a reader makes of it.
    public enum Kind: Hashable, Sendable {
      /// What the code does.
      case action
      /// What the explorer has chosen, where the code has no power over it: ``choose(from:)``.
      case choice
      /// What went wrong: a value that was out of date, a write over a change, a wait that never ends.
      case fault
      /// Another task may go on; its index in ``Trace/tasks``.
      case handOver(to: Int)
      /// What follows from the rest: tasks that start and end, and waits for them.
      case bookkeeping
    }

    public let text: String
    public let kind: Kind

    package init(_ text: String, _ kind: Kind = .action) {
      self.text = text
      self.kind = kind
    }
  }

  /// Where in the code a step runs.
  public struct Place: Hashable, Sendable, CustomStringConvertible {
    /// The function, with its type: "Account.withdraw".
    public let function: String
    /// The file and the line at which the task went on there; nil if they are not known.
    public let file: String?
    public let line: Int?

    package init(_ function: String, file: String? = nil, line: Int? = nil) {
      self.function = function
      self.file = file
      self.line = line
    }

    public var description: String { function + (line.map { ":\($0)" } ?? "") }

    /// The same without a word on closures: a function and its closures are one place.
    var short: String { description.replacing("a closure in ", with: "") }
  }

  /// One step: all that a task did from one scheduling point to the next.
  public struct Step: Hashable, Sendable {
    /// The index of the task in ``Trace/tasks``.
    public let task: Int
    /// The actor that it ran on, if any.
    public let actor: String?
    /// The function that it ran in, if that is known.
    public let place: Place?
    /// What it did, in words.
    public let notes: [Note]

    package init(task: Int, actor: String? = nil, place: Place? = nil, notes: [Note]) {
      self.task = task
      self.actor = actor
      self.place = place
      self.notes = notes
    }
  }

  /// The tasks and threads that took steps, in the order in which they were born.
  public let tasks: [String]
  /// The indices of those in ``tasks`` that are threads.
  public let threads: [Int]
  /// The steps, in the order of the schedule.
  public let steps: [Step]

  package init(tasks: [String], threads: [Int] = [], steps: [Step]) {
    self.tasks = tasks
    self.threads = threads
    self.steps = steps
  }

  /// The first step in which another run does something else, counted from 1, with what each does, in words; nil if there
  /// is none.
  func whereItParts(from other: Trace) -> (step: Int, one: String, other: String)? {
    func text(_ step: Int, of trace: Trace) -> String {
      guard trace.steps.indices.contains(step) else { return "no more" }
      let notes = trace.steps[step].notes.map(\.text).filter { !$0.isEmpty }
      return trace.tasks[trace.steps[step].task] + " "
        + (notes.isEmpty ? "goes on" : notes.joined(separator: ", "))
    }
    for step in 0..<max(steps.count, other.steps.count) {
      let (one, another) = (text(step, of: self), text(step, of: other))
      if one != another { return (step + 1, one, another) }
    }
    return nil
  }

  /// How often the turn passed from one task to another.
  public var switches: Int {
    zip(steps, steps.dropFirst()).count { $0.task != $1.task }
  }
}
