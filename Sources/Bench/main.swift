import Workbook

await Program.run([]) { arguments in
  let arguments = try Arguments(arguments, options: ["--help", "--json"])
  if let extra = arguments.words.first { throw UsageError("workbook-bench takes no “\(extra)”") }
  guard !arguments.options.contains("--help") else {
    Terminal.standardOutput.print(
      """
      Usage: workbook-bench [--json]

      Measures what exploring, watching, simulating and verifying cost; build it in release.

      --json   one JSON object a measurement
      """)
    return .success
  }
  return try await Bench(
    terminal: .standardOutput, isJSON: arguments.options.contains("--json"))()
}
