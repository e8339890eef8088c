import PrioritySimulation
import Workbook

extension Demo {
  static let threeJobs = Demo(
    "three-jobs",
    asks: "Low has the lock that high wants, and middle wants no lock. When does high get it?",
    sides: [
      Side.simulated(
        threeJobsAndALock, .noProtocol,
        .surprising("blocked for 49 ticks", "30 of middle, which wants no lock"),
        .forbidden("blocked for 19 ticks")),
      Side.simulated(
        threeJobsAndALock, .inheritance,
        .allowed("blocked for 19 ticks", "the rest of low's section"),
        .forbidden("blocked for 49 ticks")),
      Side.simulated(
        threeJobsAndALock, .immediateCeiling, .allowed("blocked for 19 ticks"),
        .forbidden("blocked for 49 ticks")),
    ].map { $0.code("DemosSimulated.swift", "threeJobsAndALock = TaskSet") })

  private static let threeJobsAndALock = TaskSet.inversion(middle: 30)

  /// The same figure at three places of the plot, each measured now.
  static let unbounded = Demo(
    "unbounded",
    asks: "Middle computes for 200, 950 and 2,000 ms. How long does high wait?",
    sides: [
      .before(
        "simulated",
        .allowed("without: 219, 969, 2019 ticks; with: 19, 19, 19 ticks"),
        .forbidden("without: 19, 19, 19 ticks; with: 19, 19, 19 ticks")
      ) { transcript in
        transcript.say(lines: try Plot.inversion().text(width: 72))
        let waits = try [LockingProtocol.noProtocol, .inheritance].map { policy in
          try [200, 950, 2_000].map {
            "\(try simulate(.inversion(middle: $0), under: policy).responses[0].blocked)"
          }.joined(separator: ", ")
        }
        return "without: \(waits[0]) ticks; with: \(waits[1]) ticks"
      }
      .code("DemosSimulated.swift", "let waits = try")
    ]
      + [200, 950, 2_000].flatMap { middle in
        [
          Side.thread(.before, "\(middle) ms, PTHREAD_PRIO_NONE", .without(middle: middle), false)
            .code("IndexPosixMutex.swift", "case .none:"),
          .thread(.before, "\(middle) ms, PTHREAD_PRIO_INHERIT", .with(middle: middle), true)
            .code("IndexPosixMutex.swift", "case .inherit:"),
        ]
      })

  static let marsPathfinder = Demo(
    "mars-pathfinder",
    asks: "On Mars, bc_dist has to be done within 65 ms. Is it, when the medium tasks are busy?",
    sides: [
      mars(
        .noProtocol, medium: 20, .allowed("done within 43 ms"),
        .forbidden("late in 1 of 4 cycles: 88 ms")),
      mars(
        .noProtocol, medium: 60,
        .surprising("late in 1 of 4 cycles: 88 ms", "it waits for all of the medium task"),
        .forbidden("done within 30 ms")),
      mars(
        .inheritance, medium: 60, .allowed("done within 30 ms", "for all of the lock's section"),
        .forbidden("late in 1 of 4 cycles: 88 ms")),
    ])

  private static func mars(
    _ policy: LockingProtocol, medium: Int, _ outcomes: Outcome...
  ) -> Side {
    Side(
      policy.boost == .nothing ? .before : .after, "\(policy), medium tasks \(medium) ms", outcomes
    ) { transcript in
      let simulation = try simulate(.marsPathfinder(medium: medium), under: policy, until: 500)
      let responses = simulation.responses(of: "bc_dist")
      for response in responses {
        let culprits = response.blocking.map { "\($0.job) \($0.time)" }.joined(separator: ", ")
        transcript.say(
          "cycle \(response.number): \(response.time ?? -1) ms"
            + (culprits.isEmpty ? "" : ", of these \(culprits)"))
      }
      let longest = responses.compactMap(\.time).max() ?? 0
      let late = responses.count(where: \.isLate)
      return late == 0
        ? "done within \(longest) ms"
        : "late in \(late) of \(responses.count) cycles: \(longest) ms"
    }
    .code("DemosSimulated.swift", "simulate(.marsPathfinder")
  }

  static let ceiling = Demo(
    "ceiling",
    asks: "Two jobs nest two locks crosswise. What does the protocol make of it?",
    sides: [LockingProtocol.inheritance, .originalCeiling, .immediateCeiling].map { policy in
      let isCeiling = policy != .inheritance
      return Side(
        isCeiling ? .after : .before, "simulated: \(policy)",
        isCeiling
          ? [.allowed("high is done 8 ticks after its release"), .forbidden("deadlock")]
          : [
            .surprising("deadlock", "inheritance cannot help: each has what the other wants"),
            .forbidden("high is done 8 ticks after its release"),
          ]
      ) { transcript in
        let simulation = try simulate(.crosswise, under: policy)
        transcript.say(lines: simulation.chart(width: 72))
        if let deadlock = simulation.deadlocks.first {
          transcript.say(deadlock.description)
          return "deadlock"
        }
        return "high is done \(simulation.responses[0].time ?? -1) ticks after its release"
      }
      .code("DemosSimulated.swift", "Job(\"high\"")
    })

  static let refusedInput = Demo(
    "refused-input",
    asks: "What does the simulator say of jobs that make no sense?",
    sides: [
      refused(
        "a negative time", Job("a", priority: 1, [.compute(1), .compute(-1)]),
        "job 'a', segment 2: -1 is no number of ticks: 0 to 1,000,000,000; 1 or more for a period "
          + "or deadline"
      )
      .code("DemosSimulated.swift", "a negative time"),
      refused(
        "an unknown lock", Job("a", priority: 1, [.lock("C"), .unlock("C")]),
        "job 'a', segment 1: there is no lock 'C': add it to the set's locks"
      )
      .code("DemosSimulated.swift", "an unknown lock"),
      refused(
        "unlocked without being locked", Job("a", priority: 1, [.unlock("A")]),
        "job 'a', segment 1: 'A' is unlocked without being locked"
      )
      .code("DemosSimulated.swift", "unlocked without being locked"),
      refused(
        "a cycle under a ceiling too low",
        Job(
          "a", priority: 3,
          [.lock("A"), .lock("B"), .compute(1), .unlock("B"), .unlock("A")]),
        "job 'a', segment 2: the ceiling of 'B', 2, is below the job's priority, and sections nest "
          + "in a cycle, B > A > B, which that ceiling does not break"
      )
      .code("DemosSimulated.swift", "priority: 3,"),
    ])

  private static func refused(_ mechanism: String, _ job: Job, _ message: String) -> Side {
    Side(.after, mechanism, [.allowed(message), .forbidden("simulated")]) { _ in
      let other = Job(
        "b", priority: 1, [.lock("B"), .lock("A"), .compute(1), .unlock("A"), .unlock("B")])
      let tasks = TaskSet(jobs: [job, other], locks: ["A", Lock("B", ceiling: 2)])
      do {
        _ = try simulate(tasks, under: .originalCeiling)
        return "simulated"
      } catch let refusal as InvalidTaskSet {
        return refusal.description
      }
    }
  }
}

extension TaskSet {
  /// Two jobs that nest two locks crosswise.
  static let crosswise = TaskSet(
    jobs: [
      Job("high", priority: 2, release: 2, nested("disk", "index")),
      Job("low", priority: 1, nested("index", "disk")),
    ],
    locks: ["disk", "index"])

  private static func nested(_ outer: String, _ inner: String) -> [Segment] {
    [
      .compute(1), .lock(outer), .compute(2), .lock(inner), .compute(2), .unlock(inner),
      .unlock(outer),
    ]
  }
}
