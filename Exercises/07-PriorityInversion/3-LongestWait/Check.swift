import PrioritySimulation
import Testing

@testable import Answer

/// What the check uses.
private let answer: @Sendable (Job, TaskSet) -> Int = { longestDelay(of: $0, in: $1) }

private func section(_ lock: String, _ ticks: Int) -> [Segment] {
  [.lock(lock), .compute(ticks), .unlock(lock)]
}

/// An arm, a camera, a log and a radio. The camera uses no lock at all.
private let robot = TaskSet(
  jobs: [
    Job("arm", priority: 4, [.compute(2)] + section("bus", 3) + [.compute(1)]),
    Job("camera", priority: 3, [.compute(6)]),
    Job("log", priority: 2, [.compute(1)] + section("disk", 9) + [.compute(1)]),
    Job(
      "radio", priority: 1,
      [.compute(1)] + section("bus", 5) + section("disk", 4) + [.compute(1)]),
  ],
  locks: ["bus", "disk"])

/// How long a job is delayed when the rest is released at an instant, and one less urgent job was at work before.
private func delays(of job: Job, in tasks: TaskSet) throws -> [Int] {
  var delays: [Int] = []
  for blocker in tasks.jobs where blocker.priority < job.priority {
    let work = blocker.segments.reduce(0) {
      if case .compute(let time) = $1 { $0 + time } else { $0 }
    }
    for instant in 0...work {
      var tasks = tasks
      for index in tasks.jobs.indices {
        tasks.jobs[index].release = tasks.jobs[index].name == blocker.name ? 0 : instant
      }
      let simulation = try simulate(tasks, under: .immediateCeiling)
      delays.append(simulation.responses(of: job.name)[0].blocked)
    }
  }
  return delays
}

@Test func `no job is delayed for longer, and each is for as long`() throws {
  for job in robot.jobs {
    let longest = try delays(of: job, in: robot).max() ?? 0
    #expect(answer(job, robot) == longest, "\(job.name)")
  }
}

@Test func `a job without a lock can be delayed, too`() {
  #expect(answer(robot.jobs[1], robot) == 4)
}

@Test func `the least urgent job is delayed by nobody`() {
  #expect(answer(robot.jobs[3], robot) == 0)
}

@Test func `a job that is as urgent is not counted`() {
  let twins = TaskSet(
    jobs: ["left", "right"].map { Job($0, priority: 1, section("bus", 3)) }, locks: ["bus"])
  #expect(twins.jobs.map { answer($0, twins) } == [0, 0])
}

@Test func `a section without a tick delays nobody`() {
  let tasks = TaskSet(
    jobs: [
      Job("arm", priority: 2, section("bus", 3)),
      Job("radio", priority: 1, [.compute(1), .lock("bus"), .unlock("bus"), .compute(1)]),
    ], locks: ["bus"])
  #expect(answer(tasks.jobs[0], tasks) == 0)
}

/// Draws that are the same everywhere.
private struct Draws {
  var state: UInt64

  mutating func draw(_ range: ClosedRange<Int>) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return range.lowerBound + Int(state >> 33) % range.count
  }
}

@Test func `so it is with a hundred other robots`() throws {
  for seed in 1...100 {
    var draws = Draws(state: UInt64(seed))
    let count = draws.draw(2...4)
    let jobs = (1...count).map { priority -> Job in
      var segments: [Segment] = [.compute(1)]
      for _ in 0..<draws.draw(1...2) {
        let (outer, inner) = (draws.draw(0...2), draws.draw(0...5))
        segments += [.lock("L\(outer)"), .compute(draws.draw(1...5))]
        // Half of them have another one inside.
        if inner < 3, inner != outer { segments += section("L\(inner)", draws.draw(1...5)) }
        segments += [.unlock("L\(outer)"), .compute(1)]
      }
      return Job("\(priority)", priority: priority, segments)
    }
    let tasks = TaskSet(jobs: jobs, locks: ["L0", "L1", "L2"])
    for job in jobs {
      let longest = try delays(of: job, in: tasks).max() ?? 0
      #expect(answer(job, tasks) == longest, "job \(job.name) of robot \(seed)")
      if answer(job, tasks) != longest { return }
    }
  }
}
