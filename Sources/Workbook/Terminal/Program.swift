import Foundation

/// What all executables of the workbook do around their commands.
public enum Program {
  /// Plays a hazard if asked; otherwise runs a command and ends the process with its status.
  ///
  /// - Parameters:
  ///   - course: The chapters whose hazards this program can play.
  ///   - command: Takes the arguments, without the program's name, and returns the exit status. A
  ///     ``UsageError`` that it throws is printed in one line and becomes status 64.
  @MainActor
  public static func run(
    _ course: [Chapter], command: ([String]) async throws -> ExitStatus
  ) async -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    Supervisor.superviseIfAsked(arguments)
    HazardPlayer.endWithParent()
    await HazardPlayer.playIfAsked(arguments, hazards: course.flatMap(\.hazards))
    do {
      exit(try await command(arguments).rawValue)
    } catch let error as UsageError {
      Terminal.complain(error.description)
      exit(ExitStatus.usage.rawValue)
    } catch {
      Terminal.complain("\(error)")
      exit(ExitStatus.claimFailed.rawValue)
    }
  }
}

extension Chapter {
  /// The whole of a chapter's demo executable: runs the chapter's demos, or those that are named.
  @MainActor
  public func main() async -> Never {
    await Program.run([self]) { arguments in
      let arguments = try Arguments(arguments, options: ["--help", "--json"] + DemoRun.flags)
      if arguments.options.contains("--help") {
        Terminal.standardOutput.print(demoHelp)
        return .success
      }
      let words = arguments.words.map { $0.contains("/") ? $0 : "\(slug)/\($0)" }
      let items =
        try words.isEmpty
        ? DemoRun.all(of: [self]) : words.flatMap { try DemoRun.items(named: $0, in: [self]) }
      let run = DemoRun(
        items, try DemoRun.mode(arguments.options), isJSON: arguments.options.contains("--json"),
        on: .standardOutput)
      return try await run()
    }
  }

  private var demoHelp: String {
    """
    Usage: \(slug)-demo [--ask | --outcomes | --json] [DEMO …]

    Runs the demos of chapter \(number), \(name): all, or those named.

    \(demos.map { "  \($0.name)" }.joined(separator: "\n"))

    --ask        ask what each side will give, before it runs
    --outcomes   show what each side declares, and run nothing
    --json       one JSON object per demo, then one for the whole
    Exit status: 0 every claim held, 1 one did not, 64 wrong use.
    """
  }
}
