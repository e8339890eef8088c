import Foundation

#if os(Linux)
  import CLinux
#endif

/// What a supervisor is asked to run, and what stops it.
struct Supervision: Codable, Sendable {
  let program: String
  let arguments: [String]
  /// Where it runs; it is removed if the one who asked ends.
  let folder: URL
  var limits = Limits()
  /// Whether the program may not signal another process; where the system cannot forbid it, it may.
  var isConfined = true

  /// What a program under supervision may use.
  struct Limits: Codable, Sendable {
    /// For how long it may stand still, in seconds: what waits for ever is stopped. Nil for no limit.
    var standstill: Double? = 10
    /// In seconds, however busy the machine is, as a guard behind the other limits.
    var time = 600.0
    /// Of the program and all that it begins and that has not ended, in seconds, since a check has last told something:
    /// what computes for ever is stopped.
    var processorTime = 20.0
    /// Of the program and all that it begins, in bytes.
    var memory = 1 << 30
    /// Of one process, reserved or in use, in bytes; nil for no limit.
    var addressSpace: Int? = 8 << 30
    /// Of what is written to standard output and standard error, in bytes.
    var output = 10 << 20
    /// Of each file that is written, in bytes.
    var file = 64 << 20
    /// How much of the output is kept, in characters: what a person may read.
    var kept = 20_000

    /// Whether one of them is on what the program and all that it begins use, who have to be looked through for that.
    var areOfProcesses: Bool {
      standstill != nil || processorTime < .greatestFiniteMagnitude || memory < .max
    }
  }

  /// How it went.
  struct Report: Codable, Sendable {
    enum Ending: Codable, Sendable, Equatable {
      case exited(Int32)
      case signaled(Int32)
      case standsStill
      case outOfTime
      case outOfProcessorTime
      case tooMuchMemory
      case tooMuchOutput
    }

    let ending: Ending
    /// The end of what was written.
    let output: String
    let errors: String
    /// What the check told, a JSON object a line.
    let records: String
    /// How many processes outlived the program; they were ended.
    let leftBehind: Int
  }

  /// What became of a supervision.
  enum Result: Sendable {
    case report(Report)
    /// The supervisor itself was stopped or ended, by the program that it supervised.
    case lost
  }

  /// Has the program run by a supervisor, a process of its own, and that by another one, which ends what
  /// is left should the first be lost.
  ///
  /// - Parameter time: How much longer than the program's time the supervisor may take, in seconds.
  /// - Throws: ``LaunchError`` when the supervisor cannot be started.
  func callAsFunction(guardedFor time: Double = 15) async throws -> Result {
    let program = try HazardProtocol.program()
    var guardian = Supervision(
      program: program, arguments: [HazardProtocol.supervise, try json], folder: folder,
      limits: limits, isConfined: false)
    guardian.limits.time += time
    guardian.limits.standstill = nil
    guardian.limits.processorTime = .greatestFiniteMagnitude
    guardian.limits.memory = .max
    guardian.limits.output = .max
    guardian.limits.addressSpace = nil
    guardian.limits.kept = .max
    // Killed, the guardian would end nothing: the limit on it is for a hang only.
    let result = try await ChildProcess.run(
      program, [HazardProtocol.supervise, try guardian.json],
      limit: .seconds(guardian.limits.time + 120))
    guard let outer = Report(json: result.output), outer.ending == .exited(0),
      let report = Report(json: outer.output)
    else { return .lost }
    return .report(report)
  }

  private var json: String {
    get throws { String(decoding: try JSONEncoder().encode(self), as: UTF8.self) }
  }
}

extension Supervision.Report {
  fileprivate init?(json: String) {
    guard let report = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else {
      return nil
    }
    self = report
  }
}

/// Stands between the workbook and a learner's program: stops it at its limits and ends whatever it
/// leaves behind.
enum Supervisor {
  /// Supervises a program if the arguments ask for it, and then never returns.
  static func superviseIfAsked(_ arguments: [String]) {
    confineIfAsked(arguments)
    guard arguments.count == 2, arguments[0] == HazardProtocol.supervise else { return }
    do {
      let plan = try JSONDecoder().decode(Supervision.self, from: Data(arguments[1].utf8))
      let report = try JSONEncoder().encode(run(plan))
      FileHandle.standardOutput.write(report)
      exit(0)
    } catch {
      Terminal.complain("\(error)")
      exit(ExitStatus.claimFailed.rawValue)
    }
  }

  /// Becomes another program under confinement if the arguments ask for it, and then never returns.
  private static func confineIfAsked(_ arguments: [String]) {
    guard arguments.count >= 2, arguments[0] == HazardProtocol.confine else { return }
    #if os(Linux)
      _ = linux_confine()
    #endif
    let words = arguments.dropFirst().map { strdup($0) } + [nil]
    execv(arguments[1], words)
    Terminal.complain("\(arguments[1]): \(String(cString: strerror(errno)))")
    exit(ExitStatus.claimFailed.rawValue)
  }

  private static func run(_ plan: Supervision) throws -> Supervision.Report {
    #if os(Linux)
      _ = linux_adopt_orphans()
    #endif
    limit(plan.limits)
    guard chdir(plan.folder.path) == 0 else {
      throw LaunchError(program: plan.program, reason: String(cString: strerror(errno)))
    }
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["NO_COLOR"] = "1"
    // What the answer's failures print is shown in this terminal, indented.
    environment["COLUMNS"] = "\(Terminal.standardOutput.width - 6)"
    environment["TMPDIR"] = plan.folder.path
    // An answer that goes through a dictionary does so in the same order in each run; the explorer asks for that.
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    if plan.isConfined { environment[HazardProtocol.lifelineVariable] = nil }
    let deadline = ContinuousClock.now + .seconds(plan.limits.time)
    // Who is confined is an answer with its check.
    var channel = plan.isConfined ? try CheckChannel() : nil
    let child =
      plan.isConfined
      ? try SpawnedProcess(
        HazardProtocol.program(), [HazardProtocol.confine, plan.program] + plan.arguments,
        environment: environment, channel: channel?.far)
      : try SpawnedProcess(plan.program, plan.arguments, environment: environment)
    var output = OutputTail(child.output)
    var errors = OutputTail(child.errors)
    var verdict: Supervision.Report.Ending?
    var standstill = plan.limits.standstill.map { Standstill(lasting: .seconds($0)) }
    var lookAround = ContinuousClock.now
    var (told, usedBefore) = (0, 0.0)
    while verdict == nil && !child.hasEnded {
      OutputTail.waitForMore([output, errors], orEndOf: child, milliseconds: 20)
      output.read()
      errors.read()
      channel?.read()
      if isAbandoned {
        child.kill()
        endDescendants()
        try? FileManager.default.removeItem(at: plan.folder)
        exit(ExitStatus.claimFailed.rawValue)
      }
      if output.count + errors.count > plan.limits.output {
        verdict = .tooMuchOutput
        continue
      }
      let now = ContinuousClock.now
      if now >= deadline {
        verdict = .outOfTime
        continue
      }
      guard plan.limits.areOfProcesses, now >= lookAround else { continue }
      let processes = ProcessTable.descendants(of: getpid())
      let used = ProcessTable.processorTime(of: processes)
      let length = channel?.records.utf8.count ?? 0
      if length != told { (told, usedBefore) = (length, used) }
      if standstill?.isReached(by: processes) == true {
        verdict = .standsStill
      } else if used - usedBefore > plan.limits.processorTime {
        verdict = .outOfProcessorTime
      } else if ProcessTable.memory(of: processes) > plan.limits.memory {
        verdict = .tooMuchMemory
      }
      // To look through all processes takes a while, and the program has to get on.
      let taken = ContinuousClock.now - now
      lookAround = .now + min(.milliseconds(250), max(.milliseconds(50), taken * 10))
    }
    if verdict != nil { child.kill() }
    let end: Supervision.Report.Ending =
      switch child.wait() {
      case .signaled(let signal): .signaled(signal)
      case .exited(let status): .exited(status)
      case .hung, .outOfTime: .outOfTime
      }
    let leftBehind = endDescendants()
    output.read()
    errors.read()
    channel?.read()
    return Supervision.Report(
      ending: verdict ?? end, output: String(output.text.suffix(plan.limits.kept)),
      errors: String(errors.text.suffix(plan.limits.kept)), records: channel?.records ?? "",
      leftBehind: verdict == nil ? leftBehind : 0)
  }

  private static func limit(_ limits: Supervision.Limits) {
    ResourceLimit.core.set(to: 0)
    ResourceLimit.fileSize.set(to: limits.file)
    if let space = limits.addressSpace { ResourceLimit.addressSpace.set(to: space) }
  }

  /// Whether the one who asked has ended: the other end of the lifeline is closed then.
  private static var isAbandoned: Bool {
    guard ProcessInfo.processInfo.environment[HazardProtocol.lifelineVariable] != nil else {
      return false
    }
    var lifeline = pollfd(fd: HazardProtocol.lifeline, events: Int16(POLLIN), revents: 0)
    return poll(&lifeline, 1, 0) > 0
  }

  /// Ends all that this process has begun, also what was begun meanwhile.
  ///
  /// - Returns: How many processes that were.
  @discardableResult
  static func endDescendants() -> Int {
    var ended: Set<pid_t> = []
    for _ in 1...2_000 {
      let found = ProcessTable.descendants(of: getpid())
      if found.isEmpty { break }
      // Stopped first, so that none begins another while the others are ended.
      for process in found { kill(process, SIGSTOP) }
      for process in found { kill(process, SIGKILL) }
      ended.formUnion(found)
      usleep(1_000)
    }
    while waitpid(-1, nil, 0) > 0 {}
    return ended.count
  }
}
