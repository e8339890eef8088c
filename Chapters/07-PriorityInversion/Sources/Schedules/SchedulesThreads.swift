import Dispatch
import Foundation
import Workbook

/// How long the threads of an inversion compute.
struct Load: Sendable {
  /// How long low is inside.
  var low = Duration.milliseconds(5)
  /// How long middle computes.
  var middle = Duration.milliseconds(20)
}

/// What an inversion of threads gave.
struct Inversion: Sendable {
  let events: [Event]
  let verdict: String
  /// From high's release until it was inside.
  let wait: Duration
}

/// Low, middle and high on one processor, with fixed priorities; high wants what low has.
///
/// Nothing here depends on how fast the machine is: low releases high from inside, high goes before low at once,
/// and releases middle before it asks.
///
/// - Throws: ``FixedPriorities/Unavailable``.
func encounter(at index: some BlockingIndexing, _ load: Load) throws(FixedPriorities.Unavailable)
  -> Inversion
{
  let story = Story<ContinuousClock.Instant>()
  let (highMayStart, middleMayStart) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  try FixedPriorities.run([
    FixedPriorities.Work(3) {
      highMayStart.wait()
      story.tell(.highAsks, at: .now)
      middleMayStart.signal()
      Stop.change(1).around(index) {
        story.tell(.highIsInside, at: .now)
      } while: {
        index.add("urgent")
      }
    },
    FixedPriorities.Work(2) {
      middleMayStart.wait()
      story.tell(.middleBegins, at: .now)
      FixedPriorities.compute(load.middle)
      story.tell(.middleEnds, at: .now)
    },
    FixedPriorities.Work(1) {
      Stop.change(1).around(index) {
        story.tell(.lowIsInside, at: .now)
        highMayStart.signal()
        FixedPriorities.compute(load.low)
        story.tell(.lowLeaves, at: .now)
      } while: {
        index.add("background")
      }
    },
  ])
  let wait = story.time(of: .highIsInside)! - story.time(of: .lowIsInside)!
  return Inversion(events: story.events, verdict: story.verdict, wait: wait)
}

/// What an inversion of threads says where it is not permitted.
let skipped = "skipped: no fixed priorities here"

/// The same as an outcome, told step by step.
func tell(
  _ index: some BlockingIndexing, _ load: Load, _ transcript: Transcript
) -> String {
  do {
    let encounter = try encounter(at: index, load)
    transcript.say(encounter.events.map(\.rawValue).joined(separator: ", "))
    let ratio = Int((encounter.wait / load.low).rounded())
    transcript.say("high waits \(encounter.wait.inMilliseconds) ms, \(ratio) × low's section")
    return encounter.verdict
  } catch {
    transcript.say("\(error)")
    return skipped
  }
}

extension Duration {
  var inMilliseconds: Int { Int((self / .milliseconds(1)).rounded()) }
}
