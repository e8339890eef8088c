import Foundation
import Synchronization

/// Runs a program as a child that is always reaped.
///
/// Foundation's `Process` can neither hand over a further descriptor nor say that a child hangs, so
/// this is the one launcher of the workbook, for hazards and for tests of its command line.
///
/// - The child leads a process group of its own; the group is killed when the child has ended.
/// - Descriptor 3 of the child is a pipe whose other end closes with this process, however it ends.
///   The programs of the workbook, and so all hazards, end themselves then. A foreign program that
///   does not look at it outlives a parent that is killed.
/// - A thread of its own attends to each child, so that waiting holds no thread of a pool and
///   children run side by side.
public enum ChildProcess {
  /// How a child ended.
  public enum Ending: Sendable, Equatable {
    /// It returned or called `exit`.
    case exited(Int32)
    /// A signal ended it.
    case signaled(Int32)
    /// It said that it was about to block, and then all its threads slept. It was killed.
    case hung
    /// The time limit was over. It was killed.
    case outOfTime
  }

  /// What a child did.
  public struct Result: Sendable {
    /// How it ended.
    public let ending: Ending
    /// What it wrote to standard output, of which the last million bytes are kept.
    public let output: String
    /// What it wrote to standard error, of which the last million bytes are kept.
    public let errors: String
  }

  /// Runs a program to its end.
  ///
  /// When the calling task is cancelled, the child is killed.
  ///
  /// - Parameters:
  ///   - program: The path of the program.
  ///   - arguments: Its arguments, without its name.
  ///   - environment: What to add to this process's environment.
  ///   - limit: A guard against a child that never ends.
  /// - Returns: How the child ended, and what it wrote.
  /// - Throws: ``LaunchError`` when it cannot be started.
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    limit: Duration = .seconds(1_800)
  ) async throws -> Result {
    let spawned = try SpawnedProcess(
      program, arguments, environment: childEnvironment(adding: environment))
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          continuation.resume(returning: attend(spawned, limit: limit))
        }
      }
    } onCancel: {
      spawned.kill()
    }
  }

  /// The path of a product of this package, for a test suite that was built beside it.
  public static func product(_ name: String) throws -> String {
    try HazardProtocol.productBesideTests(name)
  }

  /// The name of a signal, such as `SIGKILL`.
  public static func name(ofSignal signal: Int32) -> String {
    let names: [Int32: String] = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGQUIT: "SIGQUIT", SIGILL: "SIGILL",
      SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
      SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM",
    ]
    return names[signal] ?? "signal \(signal)"
  }

  /// Without these, Swift's backtracer replaces a child's last words and can outlive it, and the
  /// sanitizer sleeps a second at each exit and may have forgotten one side of a race.
  private static func childEnvironment(adding more: [String: String]) -> [String: String] {
    var environment = ProcessInfo.processInfo.environment
    environment["SWIFT_BACKTRACE"] = "enable=no"
    environment["TSAN_OPTIONS"] =
      [environment["TSAN_OPTIONS"], "atexit_sleep_ms=0:history_size=7"].compactMap(\.self).joined(
        separator: ":")
    environment[HazardProtocol.lifelineVariable] = "\(HazardProtocol.lifeline)"
    return environment.merging(more) { $1 }
  }

  /// Reads what the child writes until it has ended, hangs, or is out of time; then reaps it.
  private static func attend(_ child: SpawnedProcess, limit: Duration) -> Result {
    let deadline = ContinuousClock.now + limit
    var output = OutputTail(child.output, lookingFor: HazardProtocol.blocking)
    var errors = OutputTail(child.errors)
    var stillness = Stillness()
    var verdict: Ending?
    while verdict == nil && !child.hasEnded {
      OutputTail.waitForMore([output, errors], orEndOf: child, milliseconds: 20)
      output.read()
      errors.read()
      if output.hasLine, stillness.isReached(by: child.id) {
        verdict = .hung
      } else if ContinuousClock.now >= deadline {
        verdict = .outOfTime
      }
    }
    let ending = child.reap()
    output.read()
    errors.read()
    return Result(ending: verdict ?? ending, output: output.text, errors: errors.text)
  }
}
