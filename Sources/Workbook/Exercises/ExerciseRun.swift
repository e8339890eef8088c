import Foundation

/// The commands below `workbook exercise`.
public struct ExerciseRun: Sendable {
  /// What to do.
  public enum Command: String, CaseIterable, Sendable {
    case next, list, verify, watch, hint, reset, solution, audit
  }

  private let session: ExerciseSession
  private let isJSON: Bool
  private let terminal: Terminal
  private let page: ExercisePrinter

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - isJSON: Whether to print JSON, one object a line.
  ///   - terminal: Where to print.
  /// - Throws: ``ExerciseError`` if there are no exercises here, or no compiler.
  public init(isJSON: Bool, on terminal: Terminal) throws {
    session = try ExerciseSession()
    self.isJSON = isJSON
    self.terminal = terminal
    page = ExercisePrinter(terminal: terminal, folder: session.folder)
  }

  /// Does what a command says.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - words: What follows the command: none, or the exercise.
  ///   - isAnyway: Whether a solution is shown though the exercise is not solved.
  ///   - isWhole: Whether a trace is shown whole, however long it is.
  /// - Returns: Success; for `verify`, whether the exercise is solved.
  /// - Throws: ``UsageError``, ``ExerciseError``, or an error of the file system.
  @MainActor
  public func callAsFunction(
    _ command: Command, _ words: [String], isAnyway: Bool, isWhole: Bool
  ) async throws -> ExitStatus {
    if command == .audit {
      return try await AnswerAudit(session.folder, isJSON: isJSON, on: terminal)(words)
    }
    guard words.count <= (command == .list ? 0 : 1) else {
      throw UsageError("exercise \(command.rawValue) takes no “\(words.last!)”")
    }
    let record = try await session.record()
    if command == .list {
      if !isJSON, terminal.isInteractive, isatty(STDIN_FILENO) == 1,
        let first = session.next(record) ?? session.folder.exercises.first
      {
        return try await ExerciseWatch(session, page, first)(showsList: true)
      }
      return try list(record)
    }
    guard
      let exercise = try words.first.map(session.folder.exercise) ?? session.next(record)
    else {
      if isJSON {
        terminal.print(#"{"exercise":null}"#)
      } else {
        page.allSolved()
      }
      return .success
    }
    try exercise.begin()
    switch command {
    case .list, .audit: break
    case .next: try next(exercise, record)
    case .verify: return try await verify(exercise, isWhole: isWhole)
    case .watch:
      if isJSON { throw UsageError("exercise watch is for people; for programs: verify --json") }
      return try await ExerciseWatch(session, page, exercise)()
    case .hint: try await hint(exercise)
    case .reset: try await reset(exercise)
    case .solution:
      guard isAnyway || record.solved[exercise.id] != nil else {
        throw ExerciseError(exercise.notSolvedYet)
      }
      try solution(exercise)
    }
    return .success
  }

  private func next(_ exercise: Exercise, _ record: Progress.Record) throws {
    if isJSON { return try printJSON(exercise, record) }
    page.summary(record)
    page.task(exercise)
  }

  private func list(_ record: Progress.Record) throws -> ExitStatus {
    if isJSON {
      for exercise in session.folder.exercises { try printJSON(exercise, record) }
    } else {
      page.list(record, next: session.next(record), isBegun: session.isBegun)
    }
    return .success
  }

  private func verify(_ exercise: Exercise, isWhole: Bool) async throws -> ExitStatus {
    Terminal.showProgress("compiling and checking \(exercise.id)")
    let began = ContinuousClock.now
    let verdict = try await session.verify(exercise)
    Terminal.showProgress(nil)
    if isJSON {
      terminal.print(
        try jsonLine(VerdictRecord(exercise, verdict, ContinuousClock.now - began)))
    } else {
      page.verdict(verdict, on: exercise, upTo: isWhole ? nil : Verdict.usualLines)
      if verdict.isSolved { page.after(exercise, session.next(try await session.record())) }
    }
    return verdict.isSolved ? .success : .claimFailed
  }

  private func hint(_ exercise: Exercise) async throws {
    let hints = try await session.hint(exercise)
    if isJSON {
      terminal.print(
        try jsonLine(HintRecord(exercise: exercise.id, hints: hints, of: exercise.hints.count)))
    } else {
      page.hints(hints, of: exercise)
    }
  }

  private func reset(_ exercise: Exercise) async throws {
    let kept = try await session.reset(exercise).map(session.folder.path)
    if isJSON {
      terminal.print(try jsonLine(ResetRecord(exercise: exercise.id, kept: kept)))
    } else {
      for line in page.wasReset(exercise, kept: kept) { page.print(line) }
    }
  }

  private func solution(_ exercise: Exercise) throws {
    let text = try exercise.text(of: exercise.solution)
    if isJSON {
      terminal.print(try jsonLine(SolutionRecord(exercise: exercise.id, solution: text)))
    } else {
      terminal.print(text.trimmingCharacters(in: .newlines))
    }
  }

  private func printJSON(_ exercise: Exercise, _ record: Progress.Record) throws {
    terminal.print(
      try jsonLine(
        ExerciseRecord(
          exercise: exercise.id, title: exercise.title, minutes: exercise.minutes,
          file: session.folder.path(of: exercise.answer),
          solved: record.solved[exercise.id] != nil, begun: session.isBegun(exercise),
          hintsShown: record.hints[exercise.id] ?? 0, hints: exercise.hints.count)))
  }
}

private struct ExerciseRecord: Encodable {
  let exercise: String
  let title: String
  let minutes: Int
  let file: String
  let solved: Bool
  let begun: Bool
  let hintsShown: Int
  let hints: Int
}

private struct HintRecord: Encodable {
  let exercise: String
  let hints: [String]
  let of: Int
}

private struct ResetRecord: Encodable {
  let exercise: String
  let kept: String?
}

private struct SolutionRecord: Encodable {
  let exercise: String
  let solution: String
}

private struct VerdictRecord: Encodable {
  let exercise: String
  let solved: Bool
  let verdict: Verdict.Kind
  let summary: String
  let details: [String]
  let hint: String?
  let printed: [String]
  let trace: [String]
  let restored: [Restored]
  let milliseconds: Int

  init(_ exercise: Exercise, _ verdict: Verdict, _ duration: Duration) {
    self.exercise = exercise.id
    solved = verdict.isSolved
    self.verdict = verdict.kind
    summary = verdict.summary
    details = verdict.details
    hint = verdict.compilerHint
    printed = verdict.printed
    trace = verdict.trace
    restored = verdict.restored
    milliseconds = Int(duration / .milliseconds(1))
  }
}
