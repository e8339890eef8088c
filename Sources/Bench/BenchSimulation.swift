import PrioritySimulation
import Workbook

extension Bench {
  /// How many events a second the simulator of priorities handles, under each protocol: the best of seven runs,
  /// since load can only slow it.
  func simulating() throws {
    for policy in LockingProtocol.all {
      var rates: [Double] = []
      for run in 1...7 {
        Terminal.showProgress("simulating, \(policy), run \(run) of 7")
        let began = ContinuousClock.now
        let simulation = try simulate(periodicJobs, under: policy, until: 600_000)
        rates.append(Double(simulation.events) / ((ContinuousClock.now - began) / .seconds(1)))
      }
      Terminal.showProgress(nil)
      try report(
        Record(benchmark: "simulating 8 jobs, \(policy)", eventsPerSecond: Int(rates.max()!)))
    }
  }
}

/// Periodic jobs of which each nests two of four locks, with a utilization of about 80 %.
private let periodicJobs = TaskSet(
  jobs: (0..<8).map { index in
    let outer = "L\(min(index % 4, (index + 1) % 4))"
    let inner = "L\(max(index % 4, (index + 1) % 4))"
    return Job(
      "J\(index)", priority: 8 - index, release: index, period: 8 * (10 + index),
      [
        .compute(2), .lock(outer), .compute(2), .lock(inner), .compute(1), .unlock(inner),
        .compute(1), .unlock(outer), .compute(2),
      ])
  }, locks: ["L0", "L1", "L2", "L3"])
