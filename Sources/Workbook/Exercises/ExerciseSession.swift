import Foundation

/// The learner's way through the exercises: what is next, what is solved, which hints were shown.
public struct ExerciseSession: Sendable {
  /// The exercises.
  public let folder: ExerciseFolder
  private let progress: Progress
  private let verifier: Verifier

  /// Begins with the nearest folder that has exercises in it.
  ///
  /// - Throws: ``ExerciseError`` if there is none, or no compiler.
  public init() throws {
    try self.init(.nearest())
  }

  init(_ folder: ExerciseFolder) throws {
    self.folder = folder
    progress = Progress(in: folder.root)
    verifier = try Verifier(folder)
  }

  /// What is solved and shown so far.
  ///
  /// A file of progress that cannot be read is set aside and told, and what it said of solved exercises
  /// is found out again by verifying.
  func record() async throws -> Progress.Record {
    do {
      return try progress.read()
    } catch let damaged as Progress.Damaged {
      Terminal.complain(
        "\(Progress.fileName) could not be read; it is \(damaged.aside.lastPathComponent) now, and "
          + "your answers are verified again")
      for exercise in folder.exercises where isBegun(exercise) {
        Terminal.showProgress("verifying \(exercise.id)")
        if try await verifier.verify(exercise).isSolved { try markSolved(exercise) }
      }
      Terminal.showProgress(nil)
      return try progress.read()
    }
  }

  /// Whether the learner has changed the file.
  func isBegun(_ exercise: Exercise) -> Bool {
    guard let answer = try? Data(contentsOf: exercise.answer) else { return false }
    return (try? answer == Data(exercise.text(of: exercise.start).utf8)) != true
  }

  /// The first exercise that is not solved, after another one if there is one.
  func next(after exercise: Exercise? = nil, _ record: Progress.Record) -> Exercise? {
    let unsolved = folder.exercises.filter { record.solved[$0.id] == nil && $0.id != exercise?.id }
    guard let exercise else { return unsolved.first }
    return unsolved.first { $0.number > exercise.number } ?? unsolved.first
  }

  /// Judges the learner's answer, and notes it if it solves the exercise.
  func verify(_ exercise: Exercise) async throws -> Verdict {
    let verdict = try await verifier.verify(exercise)
    if verdict.isSolved {
      _ = try await record()
      try markSolved(exercise)
    }
    return verdict
  }

  private func markSolved(_ exercise: Exercise) throws {
    try progress.update { record in
      if record.solved[exercise.id] == nil { record.solved[exercise.id] = .now }
    }
  }

  /// One hint more than before, up to the last.
  ///
  /// - Returns: The hints shown so far.
  func hint(_ exercise: Exercise) async throws -> [String] {
    _ = try await record()
    let record = try progress.update { record in
      let shown = record.hints[exercise.id, default: 0]
      record.hints[exercise.id] = min(shown + 1, exercise.hints.count)
    }
    return Array(exercise.hints.prefix(record.hints[exercise.id] ?? 0))
  }

  /// Brings back what the learner began with, and keeps what there was beside it.
  ///
  /// - Returns: Where the learner's file is kept; nil if there was nothing to keep.
  func reset(_ exercise: Exercise) async throws -> URL? {
    _ = try await record()
    let start = try Data(exercise.text(of: exercise.start).utf8)
    var kept: URL?
    if isBegun(exercise) {
      // Copied before the file is replaced, so that at no moment there is no copy.
      kept = exercise.answer.firstFree { "Exercise.kept-\($0).swift" }
      try Data(contentsOf: exercise.answer).write(to: kept!, options: .atomic)
    }
    try start.write(to: exercise.answer, options: .atomic)
    try progress.update { record in
      record.solved[exercise.id] = nil
      record.hints[exercise.id] = nil
    }
    return kept
  }
}
