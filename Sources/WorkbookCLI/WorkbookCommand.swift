import Workbook

/// The command `workbook`: reads its arguments and prints.
struct WorkbookCommand {
  static let help = """
    Usage: workbook [COMMAND] [--json]

    Leave Grand Central Dispatch, Operation and run loops for async/await and
    actors.

      workbook                        the chapters and their demos
      workbook tour                   run every demo and verify its claims
      workbook demo CHAPTER[/DEMO] …  run a chapter's demos, or one
      workbook explore CHAPTER[/SCENARIO] …
                                      run a scenario under every schedule
      workbook exercise [ID]          the next exercise, or one; more commands are
                                      below
      workbook check [ID] …           check the exercises: solutions pass, wrong
                                      answers do not (all: several minutes)
      workbook course refresh         write anew what the texts have from the code
      workbook new chapter NN-Name | exercise NN-Chapter/N-Name
                                      begin one: files that build, to be replaced
      workbook help                   this page

      --json   one JSON object per line instead of text
      --help   this page

    CHAPTER is a name or a number: races, 4. DEMO is a name: races/lost-update, and
    so is SCENARIO: races/reentrancy.

    A demo declares the outcomes that it allows, those that are surprising, and
    those that it forbids. ✓ stands before one that is right, ⚠ before one that is
    surprising, most often a bug, ✗ before one that is not declared. With demo:

      --ask           ask what each side will give, and then run it
      --outcomes      show what each side declares, and run nothing

    An exploration declares its outcomes, too, and is complete or says why not. Many
    schedules differ only in the order of independent steps, and one of each such
    group is run, unless a strategy says otherwise. With explore:

      --strategy S    exhaustive (every schedule), reduced, bounded:PREEMPTIONS,
                      random or pct:DEPTH
      --limit N       at most so many schedules, 100000 unless told
      --seed N        the seed of random and pct; alone, it means random
      --side S        before or after: one side only
      --schedule S    replay one schedule, of the first version, or of the side's
      --all           tell bookkeeping in traces, too
      --svg FILE      write the first trace as a picture

    An exercise is solved by editing one file. ID is a name or a number:
    races/lost-update, 4/1; unless told, the first that is not solved. With
    exercise:

      list            all of them, and which are solved; on a terminal you can
                      choose one
      verify [ID]     compile the answer and check it under every order; status 0
                      if solved; with --all a long trace is shown whole
      watch [ID]      verify on every save; the key ? shows what others do
      hint [ID]       one hint more
      reset [ID]      begin anew; your file is kept beside it
      solution [ID]   a right answer, once you have one; with --anyway before
      audit FILE …    for authors: whether answers get the verdicts that files say

    Environment: NO_COLOR turns colours off; COLUMNS is the width where the output
    is no terminal; from 90 columns on, the two sides stand next to each other.
    Exit status: 0 every claim held, 1 one did not, 64 wrong use.
    """

  let course: [Chapter]
  let terminal: Terminal

  func run(_ arguments: [String]) async throws -> ExitStatus {
    let arguments = try Arguments(
      arguments,
      options: ["--help", "--json", "--anyway"] + ExploreRun.Options.flags + DemoRun.flags,
      valued: ExploreRun.Options.names)
    let isJSON = arguments.options.contains("--json")
    let rest = arguments.words.dropFirst()
    if arguments.options.contains("--help") {
      terminal.print(Self.help)
      return .success
    }
    let explored =
      arguments.values.keys.sorted() + ExploreRun.Options.flags.filter(arguments.options.contains)
    let isWhole = arguments.options.contains("--all")
    let isVerdict = arguments.words.prefix(2) == ["exercise", "verify"]
    if let option = explored.first, arguments.words.first != "explore",
      !(isVerdict && explored == ["--all"])
    {
      throw UsageError(
        option == "--all"
          ? "--all goes with explore and exercise verify only" : "\(option) goes with explore only")
    }
    if let option = DemoRun.flags.first(where: arguments.options.contains),
      arguments.words.first != "demo"
    {
      throw UsageError("\(option) goes with demo only")
    }
    let isAnyway = arguments.options.contains("--anyway")
    if isAnyway, arguments.words.prefix(2) != ["exercise", "solution"] {
      throw UsageError("--anyway goes with exercise solution only")
    }
    switch arguments.words.first {
    case nil:
      return try contents(isJSON)
    case "help":
      terminal.print(Self.help)
      return .success
    case "tour":
      if let extra = rest.first {
        throw UsageError("tour takes no “\(extra)”; for some demos: workbook demo CHAPTER[/DEMO]")
      }
      return try await DemoRun(
        DemoRun.all(of: course), isJSON: isJSON, showsProgress: true, on: terminal)()
    case "demo":
      if rest.isEmpty {
        throw UsageError("demo takes CHAPTER or CHAPTER/DEMO; `workbook` lists them")
      }
      let items = try rest.flatMap { try DemoRun.items(named: $0, in: course) }
      return try await DemoRun(
        items, DemoRun.mode(arguments.options), isJSON: isJSON, on: terminal)()
    case "explore":
      if rest.isEmpty {
        throw UsageError("explore takes CHAPTER or CHAPTER/SCENARIO; `workbook` lists them")
      }
      let items = try rest.flatMap { try ExploreRun.items(named: $0, in: course) }
      let options = try ExploreRun.Options(arguments.values, arguments.options)
      if arguments.values["--schedule"] != nil, items.count != 1 {
        throw UsageError("--schedule takes one scenario: a schedule belongs to one")
      }
      if arguments.values["--svg"] != nil, items.count != 1 {
        throw UsageError("--svg takes one scenario: a picture shows one run")
      }
      return try await ExploreRun(items, options, isJSON: isJSON, on: terminal)()
    case "exercise":
      let word = rest.first ?? "next"
      let command = ExerciseRun.Command(rawValue: word)
      // An exercise by its name or number is shown, as the next one is.
      guard command != nil || word.contains("/") else {
        throw UsageError.unknown(
          "exercise command", word, among: ExerciseRun.Command.allCases.map(\.rawValue))
      }
      return try await ExerciseRun(isJSON: isJSON, on: terminal)(
        command ?? .next, Array(command == nil ? rest : rest.dropFirst()), isAnyway: isAnyway,
        isWhole: isWhole)
    case "check":
      return try await ExerciseAudit(isJSON: isJSON, on: terminal)(Array(rest))
    case "course":
      guard Array(rest) == ["refresh"] else {
        throw UsageError("course takes refresh, and nothing else")
      }
      return try await CourseTexts.nearest(course).refresh(on: terminal)
    case "new":
      return try Skeleton.nearest(course)(Array(rest), on: terminal)
    case let command?:
      throw UsageError.unknown(
        "command", command,
        among: ["tour", "demo", "explore", "exercise", "check", "course", "new", "help"])
    }
  }

  private func contents(_ isJSON: Bool) throws -> ExitStatus {
    for chapter in course {
      if isJSON {
        terminal.print(try jsonLine(ChapterRecord(chapter)))
        continue
      }
      terminal.print(
        "\(chapter.paddedNumber)  \(chapter.slug): \(chapter.summary)", hanging: 4)
      for demo in chapter.demos {
        let isExplored = chapter.scenario(demo.name) != nil
        terminal.print("      \(chapter.slug)/\(demo.name)\(isExplored ? " (and explore)" : "")")
      }
      for scenario in chapter.scenarios where chapter.demo(scenario.name) == nil {
        terminal.print("      \(chapter.slug)/\(scenario.name) (explore)")
      }
    }
    if !isJSON {
      terminal.print()
      terminal.print("Run one: workbook demo \(course[0].slug). Run all: workbook tour.")
    }
    return .success
  }
}

/// A chapter as one line of JSON.
private struct ChapterRecord: Encodable {
  let number: Int
  let chapter: String
  let summary: String
  let demos: [String]
  let scenarios: [String]

  init(_ chapter: Chapter) {
    number = chapter.number
    self.chapter = chapter.slug
    summary = chapter.summary
    demos = chapter.demos.map(\.name)
    scenarios = chapter.scenarios.map(\.name)
  }
}
