import Foundation
import Testing

@testable import Workbook

/// What an exercise's folder says of it.
@Suite struct ExerciseTests {
  @Test func `the folder and its README make the exercise`() throws {
    let sample = try SampleExercise()
    let exercise = try sample.exercise
    #expect(exercise.id == "sample/sum")
    #expect(exercise.number == (99, 1))
    #expect(exercise.title == "A sum")
    #expect(exercise.minutes == 5)
    #expect(exercise.task == "Two numbers come in.\nTheir sum goes out.")
    #expect(
      exercise.hints == [
        "Look at both.", "There is an operator for it, between the two.", "`first + second`.",
      ])
    #expect(
      exercise.compilerHints == [
        CompilerHint(
          words: ["cannot find 'third' in scope", "a note"], text: "there are two numbers only.")
      ])
    #expect(exercise.mutants.map(\.lastPathComponent) == ["Doubled.swift", "Third.swift"])
  }

  @Test(arguments: ["sample/sum", "99/1", "sample/1", "sum"])
  func `an exercise is named by chapter and name or number`(_ word: String) throws {
    let sample = try SampleExercise()
    #expect(try sample.exercises.exercise(named: word).id == "sample/sum")
  }

  @Test func `an unknown name is told with the nearest one`() throws {
    let sample = try SampleExercise()
    let error = #expect(throws: UsageError.self) {
      try sample.exercises.exercise(named: "sample/sun")
    }
    #expect(error?.description == "there is no exercise “sample/sun”; did you mean “sample/sum”?")
  }

  @Test(arguments: [
    ("# A sum", "", "title"), ("5 minutes", "soon", "how long"), ("## Hints", "## Ideas", "hints"),
  ])
  func `a README that lacks something is told`(_ old: String, _ new: String, _ word: String) throws
  {
    let sample = try SampleExercise()
    try sample.write(SampleExercise.readme.replacing(old, with: new), to: "README.md")
    let error = #expect(throws: ExerciseError.self) { try sample.exercise }
    #expect(error?.description.contains(word) == true)
    #expect(error?.description.contains("99-Sample/1-Sum/README.md") == true)
  }

  @Test(arguments: ["Check.swift", "Solution.swift", "Start.swift"])
  func `a file that is missing is told`(_ name: String) throws {
    let sample = try SampleExercise()
    try FileManager.default.removeItem(at: sample.folder.appending(path: name))
    let error = #expect(throws: ExerciseError.self) { try sample.exercises }
    #expect(error?.description.contains(name) == true)
  }

  @Test func `what the learner edits is written at first use, and what is there is kept`() throws {
    let sample = try SampleExercise()
    let exercise = try sample.exercise
    try exercise.begin()
    #expect(try String(contentsOf: exercise.answer, encoding: .utf8) == SampleExercise.start)
    try Data("mine".utf8).write(to: exercise.answer)
    try exercise.begin()
    #expect(try String(contentsOf: exercise.answer, encoding: .utf8) == "mine")
  }

  @Test func `a wrong answer is the solution with other regions, and nobody sees marks`() throws {
    let solution = """
      // region imports
      // endregion

      struct Price {
        // region state
        var pounds = 0
        // endregion

        // region sum
        var pence: Int { 100 * pounds }
        // endregion
      }

      """
    let regions = try ExerciseRegions(solution, path: "Solution.swift")
    #expect(
      regions.text() == """
        struct Price {
          var pounds = 0

          var pence: Int { 100 * pounds }
        }

        """)
    #expect(
      regions.text(replacing: ["imports": ["import Foundation"], "state": []]) == """
        import Foundation

        struct Price {
          var pence: Int { 100 * pounds }
        }

        """)
  }

  @Test(arguments: [
    ("// region a\n1\n", "X.swift: region a does not end"),
    ("1\n// endregion\n", "X.swift:2: a region ends, and none has begun"),
    ("// region a\n// region b\n", "X.swift:2: region b begins before region a has ended"),
    ("// region a\n// endregion\n// region a\n", "X.swift:3: there are two regions called a"),
  ])
  func `marks that do not pair are told`(_ text: String, _ complaint: String) {
    let error = #expect(throws: ExerciseError.self) {
      try ExerciseRegions(text, path: "X.swift")
    }
    #expect(error?.description.hasPrefix(complaint) == true)
  }
}
