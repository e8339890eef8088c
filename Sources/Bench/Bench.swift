import Foundation
import Interleaving
import Workbook

import class ControlledDispatch.NSLock
import func ControlledDispatch.strands

/// Measures what exploring, watching, simulating and verifying cost.
///
/// Ratios are medians of paired runs, since times vary with the load.
struct Bench {
  let terminal: Terminal
  let isJSON: Bool

  func callAsFunction() async throws -> ExitStatus {
    #if DEBUG
      Terminal.complain("this is a debug build; measure with --configuration release")
    #endif
    try await exploring()
    try await reducing()
    try await drawing()
    try await blocking()
    try await watchingLocks()
    try simulating()
    try await verifying()
    return .success
  }

  /// The two withdrawals: a schedule explored, against one run in the order of arrival.
  private func exploring() async throws {
    var ratios: [Double] = []
    var rates: [Double] = []
    for pair in 1...51 {
      Terminal.showProgress("exploring, pair \(pair) of 51")
      let plain = await Baseline.duration(times: 900) { await withdrawals() }
      let began = ContinuousClock.now
      var schedules = 0
      for _ in 1...4 { schedules += await explore { await withdrawals() }.schedules }
      let explored = (ContinuousClock.now - began) / schedules
      ratios.append(explored / plain)
      rates.append(.seconds(1) / explored)
    }
    Terminal.showProgress(nil)
    try report(
      Record(
        benchmark: "two withdrawals, exhaustive", executionsPerSecond: Int(rates.median),
        ratio: ratios.median, against: "the executor alone, first job first, a schedule"))
  }

  /// The time to completeness, reduced against exhaustive, where both complete.
  private func reducing() async throws {
    let scenarios: [(String, @Sendable () async -> Int)] = [
      ("two withdrawals", withdrawals), ("three increments", increments),
    ]
    for (name, scenario) in scenarios {
      var ratios: [Double] = []
      var schedules = (reduced: 0, exhaustive: 0)
      for pair in 1...7 {
        Terminal.showProgress("reducing \(name), pair \(pair) of 7")
        var began = ContinuousClock.now
        let all = await explore(limit: 1_000_000, scenario: scenario)
        let exhaustive = ContinuousClock.now - began
        began = .now
        let some = await explore(.reduced(assuming: .actorIsolation), scenario: scenario)
        let reduced = ContinuousClock.now - began
        guard all.isComplete, some.isComplete else {
          throw UsageError("\(name) did not complete: \(all.completeness), \(some.completeness)")
        }
        ratios.append(reduced / exhaustive)
        schedules = (some.schedules, all.schedules)
      }
      Terminal.showProgress(nil)
      try report(
        Record(
          benchmark: "\(name), reduced: \(schedules.reduced) of \(schedules.exhaustive) schedules",
          ratio: ratios.median, against: "exhaustive, to completeness"))
    }
  }

  /// A hundred tasks that call an actor three times each, in orders drawn at random.
  private func drawing() async throws {
    Terminal.showProgress("drawing schedules of a hundred tasks")
    let began = ContinuousClock.now
    let exploration = await explore(.random(seed: 1), limit: 300) {
      let counter = Counter()
      await withDiscardingTaskGroup { group in
        for _ in 0..<100 {
          group.addTask { for _ in 0..<3 { await counter.increment() } }
        }
      }
      return await counter.value
    }
    let duration = ContinuousClock.now - began
    Terminal.showProgress(nil)
    precondition(Set(exploration.outcomes.keys) == [300], "\(exploration)")
    try report(
      Record(
        benchmark: "100 tasks × 3 calls, 300 random schedules", seconds: duration / .seconds(1)))
  }

  /// Strands that block, under the optimal reduction: executions against the classes that there are.
  private func blocking() async throws {
    for (strands, classes) in [(2, 6), (3, 90)] {
      var rates: [Double] = []
      var executions = 0
      for run in 1...31 {
        Terminal.showProgress("strands that block, run \(run) of 31")
        let began = ContinuousClock.now
        let exploration = await explore(.reduced(assuming: .controlledSharing)) {
          let counter = Shared(0)
          let lock = ControlledDispatch.NSLock()
          ControlledDispatch.strands(
            (0..<strands).map { _ in
              {
                for _ in 1...2 { lock.withLock { counter.value += 1 } }
              }
            })
          return counter.value
        }
        guard exploration.isComplete, exploration.failures.isEmpty else {
          throw UsageError("strands that block did not complete: \(exploration)")
        }
        executions = exploration.schedules
        rates.append(Double(executions) / ((ContinuousClock.now - began) / .seconds(1)))
      }
      Terminal.showProgress(nil)
      try report(
        Record(
          benchmark: "\(strands) strands × 2 locked increments", executions: executions,
          classes: classes, executionsPerSecond: Int(rates.median)))
      guard executions == classes else {
        throw UsageError("\(executions) executions are not one for each of \(classes) classes")
      }
    }
  }

  /// What is watched against the real thing, and what other tools cost where they are installed.
  private func watchingLocks() async throws {
    Terminal.showProgress("watching locks")
    let locks = LockBench()
    let watched = await locks.watching()
    Terminal.showProgress(nil)
    for (name, ratio, against) in watched {
      try report(
        Record(benchmark: name + ", uncontended", ratio: ratio, against: against))
    }
    for tool in LockBench.Tool.allCases {
      Terminal.showProgress("a lock under \(tool.rawValue)")
      let ratio = try await locks.checking(tool)
      Terminal.showProgress(nil)
      let name = "a lock under \(tool.rawValue), uncontended"
      switch ratio {
      case .success(let ratio):
        try report(Record(benchmark: name, ratio: ratio, against: "the same program alone"))
      case .failure(let missing):
        try report(Record(benchmark: name, skipped: missing.reason))
      }
    }
  }

  /// Judging an answer to an exercise, against the compiler alone with the same files.
  private func verifying() async throws {
    let folder = try ExerciseFolder.nearest()
    let verifier = try Verifier(folder)
    var ratios: [Double] = []
    for exercise in folder.exercises where exercise.number.exercise == 1 {
      Terminal.showProgress("verifying \(exercise.id)")
      let (plain, whole) = try await verifier.durations(of: exercise)
      ratios.append(whole / plain)
    }
    Terminal.showProgress(nil)
    try report(
      Record(
        benchmark: "verifying an exercise", ratio: ratios.median,
        against: "the compiler alone"))
    let exercise = folder.exercises[0]
    let watched = try await watching(exercise, times: 7)
    var plain: [Double] = []
    for _ in 1...7 {
      plain.append(try await verifier.durations(of: exercise).whole / .seconds(1))
    }
    terminal.print(
      isJSON
        ? #"{"benchmark":"from a save to the verdict","seconds":\#(watched.median),"verifying":\#(plain.median)}"#
        : String(
          format: "watching an exercise: %.2f s from a save to the verdict, verifying alone %.2f s",
          watched.median, plain.median))
  }

  /// How long `exercise watch` takes from a save to the verdict, in seconds.
  private func watching(_ exercise: Exercise, times: Int) async throws -> [Double] {
    let root = FileManager.default.temporaryDirectory.appending(path: "watched-\(getpid())")
    defer { try? FileManager.default.removeItem(at: root) }
    let folder = root.appending(path: "Exercises/01-Watched/1-Exercise")
    try FileManager.default.createDirectory(
      at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.copyItem(at: exercise.folder, to: folder)
    let answer = folder.appending(path: "Exercise.swift")
    let program = Process()
    program.executableURL = Bundle.main.executableURL?.deletingLastPathComponent()
      .appending(path: "workbook")
    program.arguments = ["exercise", "watch"]
    program.currentDirectoryURL = root
    let (keys, output) = (Pipe(), Pipe())
    program.standardInput = keys
    program.standardOutput = output
    program.standardError = FileHandle.nullDevice
    try program.run()
    func waitForVerdict() {
      var text = ""
      while !text.contains("q quit"), case let data = output.fileHandleForReading.availableData,
        !data.isEmpty
      {
        text += String(decoding: data, as: UTF8.self)
      }
    }
    waitForVerdict()
    var seconds: [Double] = []
    for _ in 1...times {
      let began = ContinuousClock.now
      try Data(try exercise.text(of: exercise.solution).utf8).write(to: answer, options: .atomic)
      waitForVerdict()
      seconds.append((ContinuousClock.now - began) / .seconds(1))
    }
    keys.fileHandleForWriting.write(Data("q".utf8))
    program.waitUntilExit()
    return seconds
  }

  struct Record: Encodable {
    let benchmark: String
    var executions: Int?
    var classes: Int?
    var executionsPerSecond: Int?
    var eventsPerSecond: Int?
    var seconds: Double?
    var ratio: Double?
    var against: String?
    /// Why it was not measured.
    var skipped: String?
  }

  func report(_ record: Record) throws {
    if isJSON { return terminal.print(try jsonLine(record)) }
    let figures = [
      record.executions.map { "\($0) executions" }, record.classes.map { "\($0) classes" },
      record.executionsPerSecond.map { "\($0) executions a second" },
      record.eventsPerSecond.map { "\($0) events a second" },
      record.seconds.map { String(format: "%.1f s", $0) },
      record.ratio.map { String(format: "%.3f × ", $0) + (record.against ?? "") },
      record.skipped.map { "skipped: \($0)" },
    ]
    terminal.print("\(record.benchmark): " + figures.compactMap(\.self).joined(separator: ", "))
  }
}

private actor Account {
  private(set) var balance = 100

  func withdraw(_ amount: Int) async {
    guard balance >= amount else { return }
    await Task.yield()
    balance -= amount
  }
}

private actor Counter {
  private(set) var value = 0
  func increment() { value += 1 }
}

@Sendable private func withdrawals() async -> Int {
  let account = Account()
  async let first: Void = account.withdraw(80)
  async let second: Void = account.withdraw(80)
  _ = await (first, second)
  return await account.balance
}

@Sendable private func increments() async -> Int {
  let counter = Counter()
  await withTaskGroup { group in
    for _ in 0..<3 { group.addTask { await counter.increment() } }
  }
  return await counter.value
}

extension [Double] {
  /// The middle one, of an odd number of them.
  var median: Double { sorted()[count / 2] }
}
