import Foundation
import Testing

@testable import Workbook

/// `workbook check` names what is not in order; each part of an exercise is broken once.
@Suite(
  .serialized, .timeLimit(.minutes(30)),
  .enabled(if: !ThreadSanitizer.isActive, "see VerifierTests"))
struct AuditTests {
  @Test func `an exercise in order has no defect`() async throws {
    let sample = try SampleExercise()
    let defects = try await defects(of: sample)
    #expect(defects.isEmpty, "\(defects)")
  }

  struct Break: Sendable, CustomTestStringConvertible {
    let name: String
    let file: String
    let text: String?
    let complaint: String
    /// Whether it shows only when answers are judged.
    var isOfVerdict = false
    var testDescription: String { name }
  }

  static let breaks = [
    Break(
      name: "a solution that is wrong", file: "Solution.swift",
      text: SampleExercise.mutants["Doubled"],
      complaint: "the solution must pass", isOfVerdict: true),
    Break(
      name: "a mutant that is right", file: "Mutants/Doubled.swift",
      text: "// The same.\n" + SampleExercise.solution,
      complaint: "Mutants/Doubled.swift: the verdict is “solved”", isOfVerdict: true),
    Break(
      name: "a mutant that is the solution", file: "Mutants/Doubled.swift",
      text: "// Not wrong.\n\n// region sum\n\(SampleExercise.solution)// endregion\n",
      complaint: "Mutants/Doubled.swift: it is the solution, line by line"),
    Break(
      name: "a region that the solution does not have", file: "Mutants/Doubled.swift",
      text: "// region total\n// endregion\n",
      complaint: "Mutants/Doubled.swift: Solution.swift has no region total; it has sum"),
    Break(
      name: "one mutant only", file: "Mutants/Doubled.swift", text: nil, complaint: "Mutants: 1"),
    Break(
      name: "a hint too few", file: "README.md",
      text: SampleExercise.readme.replacing("3. `first + second`.\n", with: ""),
      complaint: "2 hints"),
    Break(
      name: "a start that is right", file: "Start.swift",
      text: "// TODO: nothing\n" + SampleExercise.solution, complaint: "Start.swift: the verdict",
      isOfVerdict: true),
    Break(
      name: "a start without a TODO", file: "Start.swift", text: SampleExercise.mutants["Third"],
      complaint: "no TODO"),
    Break(
      name: "an error of the start without a hint", file: "Start.swift",
      text: "// TODO: add.\nfunc sum(_ first: Int, _ second: Int) async -> Int { fourth }\n",
      complaint: "fits: Exercises/99-Sample/1-Sum/Start.swift:2:", isOfVerdict: true),
    Break(
      name: "untidy format", file: "Solution.swift",
      text: SampleExercise.solution.replacing("{ first", with: "{   first"),
      complaint: "Solution.swift"),
    Break(
      name: "a mutant that crashes", file: "Mutants/Doubled.swift",
      text: """
        func sum(_ first: Int, _ second: Int) async -> Int {
          if first == 1 { fatalError() }
          return first + second
        }

        """,
      complaint: "must be rejected by the check", isOfVerdict: true),
  ]

  @Test(arguments: breaks)
  func `what is broken is named`(_ broken: Break) async throws {
    let sample = try SampleExercise()
    if let text = broken.text {
      try sample.write(text, to: broken.file)
    } else {
      try FileManager.default.removeItem(at: sample.folder.appending(path: broken.file))
    }
    let defects =
      broken.isOfVerdict
      ? try await defects(of: sample)
      : try await ExerciseAudit(sample.exercises).defectsOfText(of: sample.exercise).texts
    #expect(defects.contains { $0.contains(broken.complaint) }, "\(defects)")
  }

  /// The sample is about the compiler's words too, so its start may be refused or rejected.
  private func defects(of sample: SampleExercise) async throws -> [String] {
    try await ExerciseAudit(sample.exercises, verifier: sample.verifier())
      .defects(of: sample.exercise)
  }
}
