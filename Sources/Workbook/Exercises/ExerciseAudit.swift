import Foundation

/// Checks the exercises themselves: what they ship fails, the solution passes, wrong answers are
/// rejected.
public struct ExerciseAudit: Sendable {
  private let folder: ExerciseFolder
  private let verifier: Verifier
  private let isJSON: Bool
  private let terminal: Terminal

  /// Creates an audit of the nearest folder with exercises in it.
  ///
  /// - Parameters:
  ///   - isJSON: Whether to print one JSON object an exercise and one for the whole.
  ///   - terminal: Where to print.
  /// - Throws: ``ExerciseError`` for a folder that is not an exercise, or if there is no compiler.
  public init(isJSON: Bool, on terminal: Terminal) throws {
    try self.init(.nearest(), isJSON: isJSON, on: terminal)
  }

  init(
    _ folder: ExerciseFolder, verifier: Verifier? = nil, isJSON: Bool = false,
    on terminal: Terminal = .standardOutput
  ) throws {
    self.folder = folder
    self.verifier = try verifier ?? Verifier(folder)
    self.isJSON = isJSON
    self.terminal = terminal
  }

  /// Checks exercises; as many at once as there are cores.
  ///
  /// - Parameter words: Their names or numbers; all unless there are any.
  /// - Returns: Success, or that an exercise has a defect.
  /// - Throws: An error for a word that names no exercise.
  public func callAsFunction(_ words: [String]) async throws -> ExitStatus {
    let exercises = words.isEmpty ? folder.exercises : try words.map(folder.exercise)
    var defects: [String: [String]] = [:]
    try await forEachAtOnce(exercises) { exercise in
      Terminal.showProgress("checking \(exercise.id)")
      return (exercise, try await self.defects(of: exercise))
    } then: { (exercise, found) in
      defects[exercise.id] = found
    }
    Terminal.showProgress(nil)
    for exercise in exercises { try report(exercise, defects[exercise.id] ?? []) }
    let bad = defects.filter { !$0.value.isEmpty }.keys.sorted()
    if isJSON {
      terminal.print(#"{"exercises":\#(defects.count),"failed":\#(bad.count)}"#)
    } else {
      terminal.print(
        StyledText(
          text: bad.isEmpty
            ? "\(defects.count) exercise\(defects.count == 1 ? "" : "s"), in order"
            : "\(bad.count) of \(defects.count) exercises not in order: "
              + bad.joined(separator: ", "), style: bad.isEmpty ? .good : .bad
        ).rendered(on: terminal))
    }
    return bad.isEmpty ? .success : .claimFailed
  }

  private struct Record: Encodable {
    let exercise: String
    let mutants: Int
    let defects: [String]
  }

  private func report(_ exercise: Exercise, _ defects: [String]) throws {
    if isJSON {
      return terminal.print(
        try jsonLine(
          Record(exercise: exercise.id, mutants: exercise.mutants.count, defects: defects)))
    }
    terminal.print(
      StyledText(
        text: "\(defects.isEmpty ? "✓" : "✗") \(exercise.id): start, solution and "
          + "\(exercise.mutants.count) wrong answers judged", style: defects.isEmpty ? .good : .bad
      ).rendered(on: terminal))
    for defect in defects { terminal.print("    \(defect)") }
  }

  /// What is not in order with an exercise, a line each.
  func defects(of exercise: Exercise) async throws -> [String] {
    let defects = try await defectsOfText(of: exercise)
    return try await defects.texts
      + (defects.areReadable ? defectsOfVerdicts(on: exercise) : [])
  }

  /// What can be told from the files, and whether they can be compiled at all.
  func defectsOfText(of exercise: Exercise) async throws -> (texts: [String], areReadable: Bool) {
    var defects: [String] = []
    if let text = try? String(
      contentsOf: exercise.folder.appending(path: "README.md"), encoding: .utf8),
      text.contains("TODO")
    {
      defects.append("README.md: it says TODO; write what is left out")
    }
    if exercise.hints.count < 3 {
      defects.append(
        "README.md: \(exercise.hints.count) hints; three or more lead from gentle to "
          + "nearly telling")
    }
    if exercise.mutants.count < 2 {
      defects.append("Mutants: \(exercise.mutants.count); two or more show what the check is worth")
    }
    defects += try await formatDefects(of: exercise)
    do {
      if try !exercise.text(of: exercise.start).contains("TODO") {
        defects.append("\(folder.path(of: exercise.start)): it has no TODO that says what to do")
      }
      let solution = try exercise.text(of: exercise.solution)
      for file in [exercise.start] + exercise.mutants where try exercise.text(of: file) == solution
      {
        defects.append("\(folder.path(of: file)): it is the solution, line by line")
      }
      return (defects, true)
    } catch let error as ExerciseError {
      return (defects + [error.description], false)
    }
  }

  private func defectsOfVerdicts(on exercise: Exercise) async throws -> [String] {
    var defects: [String] = []
    for file in [exercise.start] + exercise.mutants {
      defects += defect(of: try await verifier.verify(exercise, answer: file), in: file, exercise)
    }
    return try await defects + solutionDefects(of: exercise)
  }

  /// The start and the mutants must be rejected by the check, or by the compiler where it is about that.
  private func defect(of verdict: Verdict, in file: URL, _ exercise: Exercise) -> [String] {
    let name = folder.path(of: file)
    switch verdict.kind {
    case .rejected: return []
    case .refused where exercise.isAboutCompiling:
      guard file == exercise.start else { return [] }
      let errors = verdict.details.filter { $0.contains(": error: ") }
      return errors.filter { error in !exercise.compilerHints.contains { $0.fits(error) } }
        .map { "\(name): no line of “When the compiler says” fits: \($0)" }
    default:
      return [
        "\(name): the verdict is “\(verdict.summary)” (\(verdict.kind.rawValue)); a wrong "
          + "answer must be rejected by the check"
      ]
    }
  }

  private func solutionDefects(of exercise: Exercise) async throws -> [String] {
    let name = folder.path(of: exercise.solution)
    let verdict = try await verifier.verify(exercise, answer: exercise.solution)
    guard verdict.isSolved else {
      return [
        "\(name): the verdict is “\(verdict.summary)” (\(verdict.kind.rawValue)); the solution "
          + "must pass"
      ]
    }
    return []
  }

  private func formatDefects(of exercise: Exercise) async throws -> [String] {
    let result = try await ChildProcess.run(
      ExerciseToolchain.find("swift"),
      ["format", "lint", "--strict", "--recursive", exercise.folder.path])
    guard result.ending != .exited(0) else { return [] }
    return result.errors.split(separator: "\n").map(String.init)
  }
}
