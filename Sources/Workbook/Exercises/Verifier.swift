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
  let compiledChecks: CompiledChecks

  /// - Parameter folder: The exercises.
  /// - Throws: ``ExerciseError`` if no compiler is found, or the explorer's modules are not there.
  public init(_ folder: ExerciseFolder) throws {
    try self.init(folder, limits: Supervision.Limits())
  }

  init(
    _ folder: ExerciseFolder, limits: Supervision.Limits, compilerLimit: Int = 120,
    temporary: URL = FileManager.default.temporaryDirectory,
    compiledChecks: CompiledChecks = CompiledChecks()
  ) throws {
    self.folder = folder
    self.temporary = temporary
    self.compiledChecks = compiledChecks
    toolchain = try ExerciseToolchain(limits: limits, compilerLimit: compilerLimit)
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
    try Data(contentsOf: exercise.check).write(to: work.check)
    try data.write(to: work.exercise)
    var verdict: Verdict
    do {
      verdict = try await judge(exercise, in: work, path: path)
    } catch {
      _ = try? snapshot.restore()
      throw error
    }
    verdict.restored = try snapshot.restore()
      .map { Restored(path: folder.path(of: $0.file), kept: $0.kept.map(folder.path)) }
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
    try Data(contentsOf: exercise.check).write(to: work.check)
    try Data(try exercise.text(of: exercise.solution).utf8).write(to: work.exercise)
    let compilations = [
      toolchain.compileAnswer(in: work), try toolchain.compileCheck(in: work),
      toolchain.link(in: work),
    ]
    let clock = ContinuousClock()
    let plain = try await clock.measure {
      for compilation in compilations { _ = try await compilation() }
    }
    let whole = try await clock.measure {
      _ = try await verify(exercise, answer: exercise.solution)
    }
    return (plain, whole)
  }

  private func judge(
    _ exercise: Exercise, in work: WorkFolder, path: String
  ) async throws -> Verdict {
    if try await toolchain.readSyntax(in: work) {
      let syntax = try AnswerSyntax(String(contentsOf: work.syntax, encoding: .utf8))
      if let refusal = try refusal(syntax, exercise, path: path) { return refusal }
    }
    try Task.checkCancellation()
    let answer = try await toolchain.compileAnswer(in: work)()
    guard answer.ending == .exited(0) else {
      return refusal(answer, isOfAnswer: true, exercise, in: work, path: path)
    }
    try Task.checkCancellation()
    let check = try await compiledChecks.check(
      in: work, compiledBy: toolchain.compileCheck(in: work))
    guard check.ending == .exited(0) else {
      return refusal(check, isOfAnswer: false, exercise, in: work, path: path)
    }
    let program = try await toolchain.link(in: work)()
    guard program.ending == .exited(0) else {
      return refusal(program, isOfAnswer: false, exercise, in: work, path: path)
    }
    try Task.checkCancellation()
    switch try await toolchain.run(in: work)() {
    case .lost:
      return Verdict(
        kind: .stopped,
        summary: "the process that supervised it was lost, with the answer; verify again, and see "
          + "what else ends processes here")
    case .report(let report):
      var verdict = verdict(report, CheckEvents(report.records))
      verdict.printed = report.output.split(separator: "\n").suffix(20).map { line in
        String(line.prefix(200).filter { !$0.unicodeScalars.contains { $0.value < 32 } })
      }
      return verdict
    }
  }

  /// What the task or the check forbids; nil if there is nothing of that.
  private func refusal(
    _ syntax: AnswerSyntax, _ exercise: Exercise, path: String
  ) throws -> Verdict? {
    let start = try exercise.text(of: exercise.start)
    if let (module, line) = syntax.imports.first(where: {
      (ExerciseToolchain.own + ["CInterleaving", "Testing"]).contains($0.module)
        && !start.contains("import \($0.module)")
    }) {
      return Verdict(
        kind: .refused,
        summary: "it imports \(module), which belongs to the check, at \(path):\(line)")
    }
    for refused in exercise.refusedWords {
      // “@unchecked Sendable” is told by its first word.
      let found = refused.words.compactMap { word in
        syntax.words[word.split(separator: " ").first.map(String.init) ?? word].map { (word, $0) }
      }
      if let (word, line) = found.first {
        var verdict = Verdict(
          kind: .refused, summary: "the task rules out “\(word)”, at \(path):\(line)")
        verdict.compilerHint = refused.text
        return verdict
      }
    }
    return nil
  }

  private func refusal(
    _ compiled: ChildProcess.Result, isOfAnswer: Bool, _ exercise: Exercise,
    in work: WorkFolder, path: String
  ) -> Verdict {
    // What the compiler calls for a file is a process of its own, or itself.
    guard case .exited = compiled.ending,
      !compiled.errors.contains("failed due to signal \(SIGKILL)")
    else {
      return Verdict(
        kind: .refused,
        summary:
          "the compiler was ended: it took more than \(toolchain.limit) s of processor time, or the system had "
          + "no memory left")
    }
    let check = folder.path(of: exercise.check)
    let output = (compiled.output + compiled.errors)
      .replacing(work.exercise.path, with: path).replacing(work.check.path, with: check)
    var verdict = Verdict(
      kind: .refused,
      summary: isOfAnswer
        ? "the compiler does not accept it"
        : "the check does not fit it: keep the names that the task says")
    verdict.details = output.split(separator: "\n", omittingEmptySubsequences: false).map(
      String.init)
    verdict.compilerHint = exercise.compilerHints.first { $0.fits(output) }?.text
    return verdict
  }

  private func verdict(_ report: Supervision.Report, _ events: CheckEvents) -> Verdict {
    let end = ending(report, events)
    // What was found before the end is told first.
    guard events.issues.isEmpty else { return rejection(events, end: end) }
    guard let end else {
      return Verdict(kind: .solved, summary: "solved", details: lines(of: events, broken: []))
    }
    var verdict = Verdict(kind: end.kind, summary: end.summary)
    verdict.details = end.details + (end.details.isEmpty ? [] : [""])
    verdict.details += lines(of: events, broken: [])
    return verdict
  }

  /// How a run ended that did not come to the end of the check; nil for one that did.
  private func ending(_ report: Supervision.Report, _ events: CheckEvents) -> Verdict? {
    let limits = toolchain.limits
    let place = events.current.map { ", while “\($0)” was checked" } ?? ""
    func stopped(_ summary: String, _ details: String...) -> Verdict {
      Verdict(kind: .stopped, summary: summary + place, details: details)
    }
    switch report.ending {
    case .standsStill:
      return stopped(
        "it waits for ever: nothing has moved for \(Int(limits.standstill ?? 0)) s",
        "Something does not come. Look for a continuation that nobody resumes, a stream that is not",
        "finished, a lock or a semaphore that is not given back.")
    case .outOfTime:
      return stopped("it was stopped after \(Int(limits.time)) s")
    case .outOfProcessorTime:
      return stopped(
        "it does not end: it was stopped after \(Int(limits.processorTime)) s of processor time",
        "Look for a loop that has no end, or one that asks again and again instead of waiting for what",
        "wakes it.")
    case .tooMuchOutput:
      return stopped("it was stopped after printing \(limits.output >> 20) MB")
    case .tooMuchMemory:
      return stopped("it was stopped with \(limits.memory >> 20) MB of memory in use")
    case .signaled(SIGSYS):
      return stopped(
        "it was stopped when it signalled another process; an answer leaves others alone")
    case .signaled(let signal):
      let last = report.errors.split(separator: "\n").last { $0.contains("atal error") }
      return Verdict(
        kind: .ended, summary: "it crashed (\(ChildProcess.name(ofSignal: signal)))\(place)",
        details: last.map { [String($0)] } ?? [
          "One process may reserve \(limits.addressSpace.map { "\($0 >> 30) GB" } ?? "any amount") of memory and write "
            + "\(limits.file >> 20) MB to a file."
        ])
    case .exited(let status):
      guard events.isWhole else {
        return Verdict(
          kind: .ended,
          summary: "it ended the program with status \(status) before the check was over")
      }
      guard report.leftBehind == 0 else {
        return Verdict(
          kind: .stopped,
          summary: "it left \(report.leftBehind) process\(report.leftBehind == 1 ? "" : "es") "
            + "behind, which were ended; an answer ends what it begins")
      }
      // Where the check has found something, the program says so with 1.
      guard status == 0 || !events.issues.isEmpty else {
        return Verdict(kind: .ended, summary: "it ended the program with status \(status)")
      }
      return nil
    }
  }

  private func rejection(_ events: CheckEvents, end: Verdict?) -> Verdict {
    let broken = Set(events.issues.map(\.claim))
    var summary =
      "not yet: \(broken.count) of \(max(events.claims.count, broken.count)) claims "
      + "\(broken.count == 1 ? "does" : "do") not hold"
    if let end { summary += "; and then \(end.summary)" }
    var verdict = Verdict(
      kind: .rejected, summary: summary, details: lines(of: events, broken: broken))
    verdict.trace = events.issues[0].trace
    verdict.traceIndex = (verdict.details.firstIndex { $0.isEmpty } ?? verdict.details.count)
    return verdict
  }

  /// The claims, with what was found of the first that is broken: one failure at a time is read.
  private func lines(of events: CheckEvents, broken: Set<String>) -> [String] {
    let unchecked = Set(events.unchecked)
    let claims = events.claims + broken.subtracting(events.claims).sorted()
    return claims.flatMap { claim -> [String] in
      if broken.contains(claim) {
        let issue = events.issues[0]
        guard claim == issue.claim else { return ["✗ \(claim)"] }
        return ["✗ \(claim)"] + issue.words.map { "  \($0)" } + [""]
      }
      if unchecked.contains(claim) { return ["· \(claim) (not checked)"] }
      guard let orders = events.orders[claim], orders.count > 1 else { return ["✓ \(claim)"] }
      return [
        "✓ \(claim) (\(orders.isAll ? "all" : "some") \(orders.count.formatted(.number.locale(Locale(identifier: "en")))) orders)"
      ]
    }
  }
}
