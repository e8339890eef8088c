import Foundation

@testable import Workbook

/// A working folder with one exercise in it, below the temporary folder.
final class SampleExercise: Sendable {
  let root: URL
  let folder: URL

  static let solution = "func sum(_ first: Int, _ second: Int) async -> Int { first + second }\n"
  static let start = """
    // TODO: add the two.
    func sum(_ first: Int, _ second: Int) async -> Int { first }

    """
  static let readme = """
    # A sum

    5 minutes · after nothing

    Two numbers come in.
    Their sum goes out.

    ## Hints

    1. Look at both.
    2. There is an operator for it,
       between the two.
    3. `first + second`.

    ## Ruled out

    - `@unchecked Sendable`, `usleep`: a sum has no
      need of it.

    ## When the compiler says

    - `cannot find 'third' in scope`, perhaps with
      `a note`: there are two
      numbers only.

    """
  static let check = """
    import ExerciseChecking
    import Testing

    @testable import Answer

    @Test func `two and two is four`() async {
      await everyOrder(gives: 4) { await sum(2, 2) }
    }

    @Test func `one and two is three`() async {
      #expect(await sum(1, 2) == 3)
    }

    """
  static let mutants = [
    "Doubled": """
    // Right for two and two.

    // region sum
    func sum(_ first: Int, _ second: Int) async -> Int { first * 2 }
    // endregion

    """,
    "Third": "func sum(_ first: Int, _ second: Int) async -> Int { third }\n",
  ]

  init() throws {
    root = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "sample-\(UUID().uuidString)")
    folder = root.appending(path: "Exercises/99-Sample/1-Sum")
    try FileManager.default.createDirectory(
      at: folder.appending(path: "Mutants"), withIntermediateDirectories: true)
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
    try write(Self.start, to: "Start.swift")
    try write("// region sum\n\(Self.solution)// endregion\n", to: "Solution.swift")
    try write(Self.check, to: "Check.swift")
    try write(Self.readme, to: "README.md")
    for (name, text) in Self.mutants { try write(text, to: "Mutants/\(name).swift") }
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: folder.appending(path: name), options: .atomic)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  var exercises: ExerciseFolder { get throws { try ExerciseFolder(root: root) } }
  var exercise: Exercise { get throws { try Exercise(folder) } }

  /// Judges an answer that is put in the learner's place.
  func verdict(
    on answer: String, limits: Supervision.Limits = Supervision.Limits()
  ) async throws -> Verdict {
    try write(answer, to: "Exercise.swift")
    return try await verifier(limits: limits).verify(exercise)
  }

  /// A verifier that compiles no check for which a verifier of any sample has done so.
  func verifier(limits: Supervision.Limits = Supervision.Limits()) throws -> Verifier {
    try Verifier(
      exercises, limits: limits, temporary: temporary, compiledChecks: Self.compiledChecks)
  }

  private static let compiledChecks = CompiledChecks()

  /// Where its verifications work.
  var temporary: URL { root.appending(path: "tmp") }

  /// Runs `workbook` in the working folder.
  func workbook(_ arguments: String...) async throws -> ChildProcess.Result {
    let program = try ChildProcess.product("workbook")
    return try await ChildProcess.run(
      "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, root.path, program] + arguments)
  }
}
