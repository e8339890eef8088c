import Foundation
import GroupsCosts
import LimitsCosts
import OperationsCosts
import ReadersWritersCosts

let help = """
  Usage: workbook-costs [ROUNDS]

  Times the forms of each work in turn, and prints what each costs against the first: the median of
  the rounds' ratios, and the least and the most. Build it in release, and leave the machine alone.

  ROUNDS   how often each form runs, 1 to 1,000; 15 unless told
  """

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(64)
}

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") {
  print(help)
  exit(0)
}
var rounds = 15
if let argument = arguments.first {
  guard arguments.count == 1, let count = Int(argument), 1...1_000 ~= count else {
    fail("ROUNDS is a number from 1 to 1,000, not “\(arguments.joined(separator: " "))”")
  }
  rounds = count
}

for (work, forms) in GroupsCosts.comparisons + ReadersWritersCosts.comparisons
  + LimitsCosts.comparisons + OperationsCosts.comparisons
{
  print(work)
  var ratios: [[Double]] = Array(repeating: [], count: forms.count)
  let clock = ContinuousClock()
  for _ in 0...rounds {
    var first: Duration?
    for (index, form) in forms.enumerated() {
      let time = try await clock.measure { try await form.run() }
      ratios[index].append(time / (first ?? time))
      first = first ?? time
    }
  }
  for (form, ratios) in zip(forms, ratios) {
    // The first round warms the caches and the pools.
    let sorted = ratios.dropFirst().sorted()
    let numbers = [sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1]]
      .map { String(format: "%.2f", $0) }
    print("  \(form.name): \(numbers[0]) × (\(numbers[1]) to \(numbers[2]))")
  }
}
