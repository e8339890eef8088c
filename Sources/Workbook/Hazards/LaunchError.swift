/// A child process that could not be started.
public struct LaunchError: Error, CustomStringConvertible {
  /// The program.
  public let program: String
  /// Why it could not be started, and what to do where something can be done.
  public let reason: String

  public var description: String { "cannot run \(program): \(reason)" }
}
