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
