import Foundation

/// Runs demos and prints what they showed, in their order.
public struct DemoRun: Sendable {
  /// A demo with the chapter that it belongs to.
  public struct Item: Sendable {
    let chapter: Chapter
    let demo: Demo
    fileprivate var name: String { "\(chapter.slug)/\(demo.name)" }
  }

  /// What is done with the demos.
  public enum Mode: Sendable {
    /// They are run.
    case run
    /// The reader is asked what they will give, and then they are run.
    case ask
    /// What they declare is shown.
    case outcomes
  }

  private let items: [Item]
  private let mode: Mode
  private let isJSON: Bool
  private let showsProgress: Bool
  private let terminal: Terminal

  /// Creates a run.
  ///
  /// - Parameters:
  ///   - items: The demos, in order.
  ///   - mode: What is done with them.
  ///   - isJSON: Whether to print one JSON object a demo and one for the whole.
  ///   - showsProgress: Whether to say on standard error which demo is running.
  ///   - terminal: Where to print.
  public init(
    _ items: [Item], _ mode: Mode = .run, isJSON: Bool, showsProgress: Bool = false,
    on terminal: Terminal
  ) {
    self.items = items
    self.mode = mode
    self.isJSON = isJSON
    self.showsProgress = showsProgress
    self.terminal = terminal
  }

  /// Every demo of some chapters.
  public static func all(of chapters: [Chapter]) -> [Item] {
    chapters.flatMap { chapter in
      chapter.demos.map { Item(chapter: chapter, demo: $0) }
    }
  }

  /// Runs the demos.
  ///
  /// - Returns: Success, or that some claim did not hold.
  public func callAsFunction() async throws -> ExitStatus {
    if mode == .outcomes {
      for item in items {
        DemoOutcomes(chapter: item.chapter, demo: item.demo).print(on: terminal)
      }
      return .success
    }
    var failed: [String] = []
    func show(_ ran: Ran) throws {
      if !ran.result.isVerified { failed.append(ran.item.name) }
      if isJSON {
        terminal.print(try jsonLine(DemoRecord(chapter: ran.item.chapter, result: ran.result)))
      } else {
        DemoPage(chapter: ran.item.chapter, result: ran.result, changedFiles: ran.changedFiles)
          .print(on: terminal)
      }
    }
    if mode == .ask {
      for item in items {
        let quiz = DemoQuiz(chapter: item.chapter, demo: item.demo) { readLine() }
        let answers = quiz.ask(on: terminal)
        let ran = await run(item)
        try show(ran)
        DemoQuiz.review(answers, of: ran.result, on: terminal)
      }
    } else {
      // Most of a demo's time it waits for a child, or until one is sure to wait.
      var count = 0
      showProgress(of: count)
      try await forEachInOrder(items, run) { ran in
        if showsProgress { Terminal.showProgress(nil) }
        try show(ran)
        count += 1
        showProgress(of: count)
      }
    }
    summarise(failed)
    return failed.isEmpty ? .success : .claimFailed
  }

  private struct Ran: Sendable {
    let item: Item
    let result: DemoResult
    let changedFiles: [String]
  }

  private func run(_ item: Item) async -> Ran {
    let result = await item.demo.run()
    let changed = result.isVerified || isJSON ? [] : await item.chapter.changedFiles() ?? []
    return Ran(item: item, result: result, changedFiles: changed)
  }

  private func showProgress(of index: Int) {
    guard showsProgress, index < items.count else { return }
    Terminal.showProgress("[\(index + 1)/\(items.count)] \(items[index].name)")
  }

  /// The modes that options of a command line mean.
  private static let modes: [String: Mode] = ["--ask": .ask, "--outcomes": .outcomes]

  /// The options that choose what is done with demos.
  public static let flags = ["--ask", "--outcomes"]

  /// Reads from a command line what is done with the demos.
  ///
  /// - Parameter flags: The options that were given.
  /// - Throws: ``UsageError`` where they do not go together.
  public static func mode(_ flags: Set<String>) throws -> Mode {
    let chosen = Self.flags.filter(flags.contains)
    if chosen.count > 1 { throw UsageError("\(chosen[0]) and \(chosen[1]) do not go together") }
    if let flag = chosen.first, flags.contains("--json") {
      throw UsageError("\(flag) is for readers, and --json for programs: leave one of them out")
    }
    return chosen.first.flatMap { modes[$0] } ?? .run
  }

  private func summarise(_ failed: [String]) {
    let verified = items.count - failed.count
    if isJSON {
      terminal.print(
        #"{"demos":\#(items.count),"verified":\#(verified),"failed":\#(failed.count)}"#)
    } else if failed.isEmpty {
      let summary = items.count == 1 ? "1 demo, verified" : "\(items.count) demos, all verified"
      terminal.print(StyledText(text: summary, style: .good).rendered(on: terminal))
    } else {
      let summary = "\(failed.count) of \(items.count) demos failed: "
      terminal.print(
        StyledText(text: summary + failed.joined(separator: ", "), style: .bad)
          .rendered(on: terminal))
    }
  }
}
