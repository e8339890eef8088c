public import PrioritySimulation

extension Side {
  /// A side that is simulated: its outcome is how long the first job is blocked.
  ///
  /// - Parameters:
  ///   - tasks: The jobs, the one that is asked about first.
  ///   - policy: What the locks do to priorities.
  ///   - name: What of the chapter is simulated, such as "serial queue"; `nil` stands for the policy's name.
  ///   - era: Which of the two worlds it belongs to; `nil` stands for the old one if the policy has no boost, otherwise
  ///     for the new one.
  ///   - outcomes: What it declares, such as "blocked for 19 ticks".
  /// - Returns: The side; it says the chart.
  public static func simulated(
    _ tasks: TaskSet, _ policy: LockingProtocol, as name: String? = nil, in era: Era? = nil,
    _ outcomes: Outcome...
  ) -> Side {
    Side(
      era ?? (policy.boost == .nothing ? .before : .after), "simulated: \(name ?? policy.name)",
      outcomes
    ) { transcript in
      let simulation = try simulate(tasks, under: policy)
      transcript.say(lines: simulation.chart(width: 72))
      return "blocked for \(simulation.responses[0].blocked) ticks"
    }
  }
}

extension TaskSet {
  /// An urgent job, and one that has what it needs: that has 19 of its 20 ticks to go when the urgent one comes, on the
  /// tick behind it. Other work comes between.
  ///
  /// - Parameters:
  ///   - urgent: What the first job is called; it computes one tick.
  ///   - holder: What the last one is called.
  ///   - resource: What both need; `nil` if they need nothing of each other.
  public static func urgent(
    _ urgent: String, behind holder: String, sharing resource: String?
  ) -> TaskSet {
    let (enter, leave): ([Segment], [Segment]) =
      resource.map { ([.lock($0)], [.unlock($0)]) } ?? ([], [])
    return TaskSet(
      jobs: [
        Job(urgent, priority: 3, release: 1, enter + [.compute(1)] + leave),
        Job("other", priority: 2, release: 1, [.compute(30)]),
        Job(holder, priority: 1, enter + [.compute(20)] + leave),
      ],
      locks: resource.map { [Lock($0)] } ?? [])
  }
}

extension Transcript {
  /// Says a text line by line.
  ///
  /// - Parameter text: Lines, each with its end.
  public func say(lines text: String) {
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      say(String(line))
    }
  }
}
