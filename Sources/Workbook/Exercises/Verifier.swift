import Foundation

/// Compiles an answer with its check, runs it under supervision and judges.
///
/// No package manager is called: the compiler links the explorer's object files that were built with
/// this program.
public struct Verifier: Sendable {
  private let folder: ExerciseFolder
  private let toolchain: ExerciseToolchain
  /// Where work folders are made.
  private let temporary: URL

  /// - Parameter folder: The exercises.
  /// - Throws: ``ExerciseError`` if no compiler is found, or the explorer's modules are not there.
  public init(_ folder: ExerciseFolder) throws {
    try self.init(folder, limits: Supervision.Limits())
  }

  init(
    _ folder: ExerciseFolder, limits: Supervision.Limits,
    temporary: URL = FileManager.default.temporaryDirectory
  ) throws {
    self.folder = folder
    self.temporary = temporary
    toolchain = try ExerciseToolchain(limits: limits)
  }

  /// Judges an answer.
  ///
  /// - Parameters:
  ///   - exercise: The exercise.
  ///   - answer: The answer; the learner's unless told.
  /// - Throws: An error of the file system, or if no process can be started.
  public func verify(_ exercise: Exercise, answer: URL? = nil) async throws -> Verdict {
    let answer = answer ?? exercise.answer
    let path = folder.path(of: answer)
    guard var data = try? Data(contentsOf: answer) else {
      return Verdict(
        kind: .unreadable,
        summary:
          "\(path) cannot be read; `swift run workbook exercise reset \(exercise.id)` brings it back"
      )
    }
    guard let text = String(data: data, encoding: .utf8), !text.contains("\0") else {
      return Verdict(
        kind: .unreadable,
        summary:
          "\(path) is no text; `swift run workbook exercise reset \(exercise.id)` keeps it beside a "
          + "new one")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      return Verdict(
        kind: .unreadable,
        summary:
          "\(path) is empty; `swift run workbook exercise reset \(exercise.id)` brings the task back"
      )
    }
    // The learner's file is taken as it is.
    if answer != exercise.answer {
      data = Data(try exercise.text(of: answer).utf8)
    }
    let snapshot = try FolderSnapshot(exercise.folder)
    let work = try WorkFolder(in: temporary)
    defer { work.remove() }
    try Data(contentsOf: exercise.check).write(to: work.url.appending(path: "Check.swift"))
    try data.write(to: work.url.appending(path: "Exercise.swift"))
    var verdict = try await judge(exercise, in: work, path: path)
    verdict.restored = try snapshot.restore().map(folder.path)
    if verdict.isSolved, text.contains("TODO") {
      return Verdict(
        kind: .todo, summary: "the check passes; take the TODO out when you are done",
        restored: verdict.restored)
    }
    return verdict
  }

  /// How long the compiler takes for an answer and its check by itself, and how long judging takes.
  ///
  /// - Parameter exercise: The exercise, whose solution is judged.
  /// - Throws: An error of the file system, or if no process can be started.
  public func durations(of exercise: Exercise) async throws -> (plain: Duration, whole: Duration) {
    let work = try WorkFolder(in: temporary)
    defer { work.remove() }
    try Data(contentsOf: exercise.check).write(to: work.url.appending(path: "Check.swift"))
    try Data(try exercise.text(of: exercise.solution).utf8)
      .write(to: work.url.appending(path: "Exercise.swift"))
    let compilation = try toolchain.compile(in: work)
    let clock = ContinuousClock()
    let plain = try await clock.measure {
      _ = try await ChildProcess.run(compilation.program, compilation.arguments)
    }
    let whole = try await clock.measure {
      _ = try await verify(exercise, answer: exercise.solution)
    }
    return (plain, whole)
  }

  private func judge(
    _ exercise: Exercise, in work: WorkFolder, path: String
  ) async throws -> Verdict {
    let compilation = try await toolchain.compile(in: work)()
    guard case .report(let compiled) = compilation else {
      return Verdict(kind: .refused, summary: "the compiler did not end; try again")
    }
    guard compiled.ending == .exited(0) else {
      return refusal(compiled, exercise, in: work, path: path)
    }
    let run = try await toolchain.run(in: work)()
    let events = CheckEvents(work.events)
    switch run {
    case .lost:
      return Verdict(
        kind: .stopped,
        summary: "the process that supervised it was lost, with the answer; verify again, and see "
          + "what else ends processes here")
    case .report(let report):
      var verdict = verdict(report, events)
      verdict.printed = report.output.split(separator: "\n").suffix(20).map { line in
        String(line.prefix(200).filter { !$0.unicodeScalars.contains { $0.value < 32 } })
      }
      return verdict
    }
  }

  private func refusal(
    _ report: Supervision.Report, _ exercise: Exercise, in work: WorkFolder, path: String
  ) -> Verdict {
    if report.ending == .outOfTime {
      return Verdict(
        kind: .refused, summary: "the compiler took longer than \(Int(toolchain.limit)) s")
    }
    let check = folder.path(of: exercise.check)
    let output = (report.output + report.errors)
      .replacing(work.url.path + "/Exercise.swift", with: path)
      .replacing(work.url.path + "/Check.swift", with: check)
    let isInAnswer = output.contains("\(path):")
    var verdict = Verdict(
      kind: .refused,
      summary: isInAnswer
        ? "the compiler does not accept it"
        : "the check does not fit it: keep the names that the task says")
    verdict.details = output.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    verdict.compilerHint = exercise.compilerHints.first { $0.fits(output) }?.text
    return verdict
  }

  private func verdict(_ report: Supervision.Report, _ events: CheckEvents) -> Verdict {
    let limits = toolchain.limits
    switch report.ending {
    case .outOfTime:
      return Verdict(
        kind: .stopped,
        summary:
          "it was stopped after \(Int(limits.time)) s: it waits for something that does not come")
    case .outOfProcessorTime:
      return Verdict(
        kind: .stopped,
        summary:
          "it was stopped after \(Int(limits.processorTime)) s of processor time: a loop without end, or far too much work"
      )
    case .tooMuchOutput:
      return Verdict(
        kind: .stopped, summary: "it was stopped after printing \(limits.output >> 20) MB")
    case .tooMuchMemory:
      return Verdict(
        kind: .stopped,
        summary: "it was stopped with \(limits.memory >> 20) MB of memory in use")
    case .signaled(SIGSYS):
      return Verdict(
        kind: .stopped,
        summary: "it was stopped when it signalled another process; an answer leaves others alone")
    case .signaled(let signal):
      return crash(report, signal, events)
    case .exited(let status):
      if !events.issues.isEmpty { return rejection(events) }
      guard events.isWhole else {
        let missing = events.unchecked.map { "“\($0)”" }.joined(separator: ", ")
        return Verdict(
          kind: .ended,
          summary: "it ended the program with status \(status) before the check was over"
            + (missing.isEmpty ? "" : "; not checked: \(missing)"))
      }
      guard report.leftBehind == 0 else {
        return Verdict(
          kind: .stopped,
          summary: "it left \(report.leftBehind) process\(report.leftBehind == 1 ? "" : "es") "
            + "behind, which were ended; an answer ends what it begins")
      }
      guard status == 0 else {
        return Verdict(kind: .ended, summary: "it ended the program with status \(status)")
      }
      let claims = events.claims.map { "✓ \($0)" }
      return Verdict(kind: .solved, summary: "solved", details: claims)
    }
  }

  private func rejection(_ events: CheckEvents) -> Verdict {
    let broken = Set(events.issues.map(\.claim))
    var details: [String] = []
    for claim in events.claims {
      details.append("\(broken.contains(claim) ? "✗" : "✓") \(claim)")
      // One failure at a time is read: the first in full.
      if claim == events.issues[0].claim { details += lines(of: events.issues[0]) + [""] }
    }
    return Verdict(
      kind: .rejected,
      summary: "not yet: \(broken.count) of \(events.claims.count) claims "
        + "\(broken.count == 1 ? "does" : "do") not hold", details: details)
  }

  /// What was expected and what happened, without the replay, which is of use in one's own tests only.
  private func lines(of issue: CheckEvents.Issue) -> [String] {
    let text = issue.message.trimmingCharacters(in: .newlines)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .filter { !$0.hasPrefix("replay(") }.map { "  \($0)" }
    return Array(lines.reversed().drop { $0.allSatisfy(\.isWhitespace) }.reversed())
  }

  private func crash(
    _ report: Supervision.Report, _ signal: Int32, _ events: CheckEvents
  ) -> Verdict {
    let last = report.errors.split(separator: "\n").last { $0.contains("atal error") }
    let claim = events.unchecked.first.map { " while the check was at “\($0)”" } ?? ""
    return Verdict(
      kind: .ended,
      summary: "it crashed (\(ChildProcess.name(ofSignal: signal)))\(claim)",
      details: last.map { [String($0)] } ?? [
        "One process may reserve \(limitText(toolchain.limits.addressSpace)) of memory and write "
          + "\(toolchain.limits.file >> 20) MB to a file."
      ])
  }

  private func limitText(_ bytes: Int?) -> String { bytes.map { "\($0 >> 30) GB" } ?? "any amount" }
}
