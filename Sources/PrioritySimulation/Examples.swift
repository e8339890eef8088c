extension TaskSet {
  /// Three jobs and one lock: the case in which priority inversion has no bound.
  ///
  /// The low job takes the lock for 20 ticks; one tick later the high job wants it, and the middle one,
  /// which does not use it, has work to do.
  ///
  /// - Parameter middle: How many ticks the middle job computes.
  public static func inversion(middle: Int) -> TaskSet {
    let section: [Segment] = [.lock("lock"), .compute(20), .unlock("lock")]
    return TaskSet(
      jobs: [
        Job("high", priority: 3, release: 1, section),
        Job("middle", priority: 2, release: 1, [.compute(middle)]),
        Job("low", priority: 1, section),
      ],
      locks: ["lock"])
  }

  /// The resets of Mars Pathfinder in 1997, after G. Reeves, "What really happened on Mars" (1997). A tick
  /// is a millisecond.
  ///
  /// Public: the bus cycle of 125 ms; the order of priorities, `bc_sched` above `bc_dist`, medium tasks
  /// and `ASI/MET`; that `bc_dist` is awakened when the bus traffic of the cycle is done, and has to be
  /// done when `bc_sched` is; that `bc_dist` and `ASI/MET` share the mutex inside `select`, made without
  /// inheritance; that medium tasks, busier than foreseen, ran while `ASI/MET` held it.
  ///
  /// Assumed: all other numbers. Bus traffic takes 50 ms; `bc_sched` begins at 115 and takes 5; `bc_dist`
  /// takes 25, of these 5 with the mutex; `ASI/MET` runs in every fourth cycle, 12 ms, of these 8 with the
  /// mutex; of the medium tasks there is one, in every second cycle; the entry and landing task, between
  /// `bc_sched` and `bc_dist`, is left out.
  ///
  /// - Parameter medium: How many milliseconds the medium task computes: with 20 all goes well, with 60 the
  ///   deadline of `bc_dist` is missed, unless the mutex has inheritance.
  public static func marsPathfinder(medium: Int = 60) -> TaskSet {
    TaskSet(
      jobs: [
        Job("bc_sched", priority: 4, release: 115, period: 125, deadline: 10, [.compute(5)]),
        Job(
          "bc_dist", priority: 3, release: 50, period: 125, deadline: 65,
          [.compute(10), .lock("select"), .compute(5), .unlock("select"), .compute(10)]),
        Job("medium", priority: 2, release: 43, period: 250, [.compute(medium)]),
        Job(
          "ASI/MET", priority: 1, release: 38, period: 500,
          [.compute(2), .lock("select"), .compute(8), .unlock("select"), .compute(2)]),
      ],
      locks: ["select"])
  }
}

extension Plot {
  /// How long the high job of ``TaskSet/inversion(middle:)`` waits as the middle one computes more, under
  /// some protocols.
  ///
  /// - Parameters:
  ///   - policies: The protocols.
  ///   - work: How many ticks the middle job computes, each from 0 to 1,000,000,000.
  public static func inversion(
    under policies: [LockingProtocol] = [.noProtocol, .inheritance],
    middle work: [Int] = Array(stride(from: 0, through: 200, by: 10))
  ) throws(InvalidTaskSet) -> Plot {
    var series: [Series] = []
    for policy in policies {
      var points: [Point] = []
      for middle in work {
        let simulation = try simulate(.inversion(middle: middle), under: policy)
        points.append(Point(x: middle, y: simulation.responses[0].blocked))
      }
      series.append(Series(name: policy.name, points: points))
    }
    return Plot(
      title: "How long the high job is blocked", x: "ticks that the middle job computes",
      y: "ticks blocked", series: series)
  }
}
