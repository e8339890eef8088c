import DescriptorsCosts
import Foundation
import GroupsCosts
import LimitsCosts
import OperationsCosts
import ReadersWritersCosts

let help = """
  Usage: workbook-costs [ROUNDS]

  Times the forms of each work in turn, and prints what each costs against the first, in time and in
  processor time: the median of the rounds' ratios, and the least and the most. Build it in release,
  and leave the machine alone.

  ROUNDS   how often each form runs, 1 to 1,000; 15 unless told
  """

func fail(_ message: String) -> Never {
  FileHandle.standardError.write(Data("error: \(message)\n".utf8))
  exit(64)
}

/// The time that processors have worked for the process so far, in seconds.
func processorTime() -> Double { Double(clock()) / Double(CLOCKS_PER_SEC) }

/// The median of some ratios, with the least and the most.
struct Spread: CustomStringConvertible {
  let description: String

  init(_ ratios: [Double]) {
    let sorted = ratios.sorted()
    let numbers = [sorted[sorted.count / 2], sorted[0], sorted[sorted.count - 1]]
      .map { String(format: "%.2f", $0) }
    description = "\(numbers[0]) × (\(numbers[1]) to \(numbers[2]))"
  }
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
  + LimitsCosts.comparisons + OperationsCosts.comparisons + DescriptorsCosts.comparisons
{
  print(work)
  var times: [[(real: Double, processor: Double)]] = Array(repeating: [], count: forms.count)
  for _ in 0...rounds {
    for (index, form) in forms.enumerated() {
      let (clock, before) = (ContinuousClock(), processorTime())
      let time = try await clock.measure { try await form.run() }
      times[index].append((time / .seconds(1), processorTime() - before))
    }
  }
  for (form, times) in zip(forms, times.map { zip($0, times[0]).dropFirst() }) {
    // The first round warms the caches and the pools.
    let real = Spread(times.map { $0.real / $1.real })
    let processor = Spread(times.map { $0.processor / $1.processor })
    print("  \(form.name): \(real); processor time \(processor)")
  }
}
