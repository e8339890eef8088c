import Foundation

/// Tries answers that authors have written down, and says which get another verdict than they should.
struct AnswerAudit {
  private let folder: ExerciseFolder
  private let verifier: Verifier
  private let isJSON: Bool
  private let terminal: Terminal

  init(_ folder: ExerciseFolder, isJSON: Bool, on terminal: Terminal) throws {
    self.folder = folder
    verifier = try Verifier(folder)
    self.isJSON = isJSON
    self.terminal = terminal
  }

  /// Tries the answers of some files; as many at once as there are cores.
  ///
  /// - Returns: Success, or that a verdict is another one.
  /// - Throws: ``UsageError`` without a file, ``ExerciseError`` for one that cannot be read.
  func callAsFunction(_ files: [String]) async throws -> ExitStatus {
    guard !files.isEmpty else {
      throw UsageError("exercise audit takes files: swift run workbook exercise audit FILE …")
    }
    let entries = try files.flatMap { file in
      try AnswerFile(URL(filePath: file), in: folder).entries.map { (file, $0) }
    }
    var wrong = 0
    let clock = ContinuousClock()
    try await forEachAtOnce(entries) { (file, entry) in
      let work = try WorkFolder()
      defer { work.remove() }
      try Data(entry.text.utf8).write(to: work.exercise)
      let began = clock.now
      let verdict: Verdict
      do {
        verdict = try await verifier.verify(entry.exercise, answer: work.exercise)
      } catch {
        verdict = Verdict(kind: .unreadable, summary: "it could not be judged: \(error)")
      }
      return (file, entry, verdict, clock.now - began)
    } then: { (file, entry, verdict, duration) in
      let isRight = entry.fits(verdict.kind)
      if !isRight { wrong += 1 }
      try report(file, entry, verdict, duration, isRight)
    }
    if isJSON {
      terminal.print(#"{"answers":\#(entries.count),"wrong":\#(wrong)}"#)
    } else {
      terminal.print(
        StyledText(
          text: wrong == 0
            ? "\(entries.count) answers, each with its verdict"
            : "\(wrong) of \(entries.count) answers with another verdict",
          style: wrong == 0 ? .good : .bad
        ).rendered(on: terminal))
    }
    return wrong == 0 ? .success : .claimFailed
  }

  private struct Record: Encodable {
    let place: String
    let exercise: String
    let title: String
    let expected: String
    let verdict: Verdict.Kind
    let summary: String
    let isRight: Bool
    let milliseconds: Int
  }

  private func report(
    _ file: String, _ entry: AnswerFile.Entry, _ verdict: Verdict, _ duration: Duration,
    _ isRight: Bool
  ) throws {
    let expected = entry.expected?.rawValue ?? "wrong"
    if isJSON {
      return terminal.print(
        try jsonLine(
          Record(
            place: "\(file):\(entry.line)", exercise: entry.exercise.id, title: entry.title,
            expected: expected, verdict: verdict.kind, summary: verdict.summary, isRight: isRight,
            milliseconds: Int(duration / .milliseconds(1)))))
    }
    let seconds = (duration / .seconds(1)).formatted(
      .number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))
    terminal.print(
      StyledText(
        text: "\(isRight ? "✓" : "✗") \(entry.exercise.id) (\(seconds) s) \(expected): "
          + "\(entry.title)\(isRight ? "" : " → \(verdict.kind.rawValue)")",
        style: isRight ? .good : .bad
      ).rendered(on: terminal))
    guard !isRight else { return }
    terminal.print("    \(file):\(entry.line)")
    for line in [verdict.summary] + verdict.lines(upTo: Verdict.usualLines) where !line.isEmpty {
      terminal.print("    \(line)")
    }
  }
}
