/// A piece of code that races, traps or hangs on purpose, and therefore runs in a child process.
///
/// The child is the same program, called with `--hazard ID`; see ``Chapter/main(_:)`` for the side
/// of the child and ``run(limit:)`` for the side of the parent.
public struct Hazard: Sendable {
  enum Code: Sendable {
    case mainThread(@Sendable (Transcript) -> String)
    case task(@Sendable (Transcript) async -> String)
  }

  /// The hazard's name in the whole course, such as `races/lost-update`.
  public let id: String
  /// Whether the code has a data race, which ThreadSanitizer has to report when it is built in.
  public let isDataRace: Bool
  let code: Code

  /// A hazard whose code is synchronous and starts on the child's main thread.
  ///
  /// - Parameters:
  ///   - id: The hazard's name in the whole course.
  ///   - isDataRace: Whether the code has a data race.
  ///   - code: The code; it returns the outcome, if it ever returns.
  public init(
    _ id: String, isDataRace: Bool = false, code: @escaping @Sendable (Transcript) -> String
  ) {
    self.id = id
    self.isDataRace = isDataRace
    self.code = .mainThread(code)
  }

  /// A hazard whose code is asynchronous and runs as a task, off the main actor.
  public static func task(
    _ id: String, isDataRace: Bool = false,
    code: @escaping @Sendable (Transcript) async -> String
  ) -> Hazard {
    Hazard(id: id, isDataRace: isDataRace, code: .task(code))
  }

  private init(id: String, isDataRace: Bool, code: Code) {
    self.id = id
    self.isDataRace = isDataRace
    self.code = code
  }

  /// Runs the hazard in a child process and says how that ended.
  ///
  /// The caller waits without holding a thread. When it is cancelled, so is the child.
  ///
  /// In a sanitized build a data race is run again until it is reported, five times at most: the
  /// sanitizer keeps a short history, and on a busy machine it may have forgotten one side of a race when
  /// it sees the other.
  ///
  /// - Parameter limit: A guard against a child that neither ends nor blocks.
  /// - Returns: How the child ended, and what it wrote.
  /// - Throws: ``LaunchError`` when no child could be started.
  public func run(limit: Duration = .seconds(600)) async throws -> HazardReport {
    var report = try await runOnce(limit)
    for _ in 1..<5 where ThreadSanitizer.isActive && isDataRace && report.races.isEmpty {
      report = try await runOnce(limit)
    }
    return report
  }

  private func runOnce(_ limit: Duration) async throws -> HazardReport {
    let result = try await ChildProcess.run(
      HazardProtocol.program(), [HazardProtocol.option, id], limit: limit)
    return HazardReport(result)
  }
}
