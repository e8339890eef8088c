import Foundation

/// What a hazard child and its parent agree on.
enum HazardProtocol {
  /// The option, before any other argument, that makes a program play a hazard.
  static let option = "--hazard"
  /// The option, before any other argument, that makes `workbook` supervise a program.
  static let supervise = "--supervise"
  /// The option, before any other argument, that makes `workbook` another program, confined.
  static let confine = "--confine"
  /// Begins the line with which a child that came to an end says what it got.
  static let outcome = "outcome: "
  /// Begins the line that a child writes before a call that may never return.
  static let blocking = "about to block: "
  /// The descriptor on which a child sees the end of its parent.
  static let lifeline: Int32 = 3
  /// The descriptor on which the check of an answer tells what it finds.
  static let channel: Int32 = 4
  /// The environment variable that tells a child that its lifeline is there.
  static let lifelineVariable = "WORKBOOK_LIFELINE"

  /// The program that can play every hazard: this one, or, from tests, the `workbook` beside it.
  ///
  /// A test runner cannot play the child itself: its main function belongs to the test library.
  static func program() throws -> String {
    let own = Bundle.main.executableURL ?? URL(filePath: CommandLine.arguments[0])
    guard own.pathExtension == "xctest" || own.lastPathComponent == "swiftpm-testing-helper" else {
      return own.path
    }
    return try productBesideTests("workbook")
  }

  /// A product of this package that was built beside the running test suite.
  ///
  /// - Throws: ``LaunchError`` where it is not there.
  static func productBesideTests(_ name: String) throws -> String {
    let bundles = [Bundle.main] + Bundle.allBundles
    let folders = bundles.flatMap { bundle in
      [bundle.executableURL, bundle.bundleURL].compactMap { $0?.deletingLastPathComponent() }
    }
    let places = folders.map { $0.appending(path: name).path }
    if let found = places.first(where: FileManager.default.isExecutableFile(atPath:)) {
      return found
    }
    throw LaunchError(
      program: name, reason: "it is not beside the test suite; run `swift build` first")
  }
}
