import Foundation
import Workbook

/// What Swift must refuse is refused, with the diagnostics that the file expects and no others.
///
/// The compiler checks that itself: `-verify` reads the `expected-error` comments. What it notes in a library's interface
/// is left alone.
func acceptedCode(of chapter: ChapterFolder) async throws -> [String] {
  var complaints: [String] = []
  for file in chapter.swiftFiles(in: "Refused") {
    let name = file.lastPathComponent
    let text = try String(contentsOf: file, encoding: .utf8)
    if !text.contains("expected-error") {
      complaints.append(
        "Refused/\(name) expects no error; say which with // expected-error@-1 {{…}}")
    }
    let result = try await ChildProcess.run(
      "/usr/bin/env",
      [
        "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-parse-as-library",
        "-Xfrontend", "-verify", "-Xfrontend", "-verify-ignore-unrelated", file.path,
      ])
    if result.ending != .exited(0) {
      let message = result.errors.firstMatch(of: /error: (.+)/)?.1
      complaints.append("Refused/\(name): \(message ?? "the compiler ended with \(result.ending)")")
    }
  }
  return complaints
}
