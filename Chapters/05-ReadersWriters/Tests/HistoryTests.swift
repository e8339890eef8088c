import ChapterTesting
import Foundation
import Testing
import Workbook

@testable import ReadersWriters

/// What callers of the photo managers read, under every schedule, is what they would read if one call ran at a time, each
/// caller's in its order.
///
/// All histories of three calls or fewer, in every split over two or three callers; of four with HISTORY_CALLS=4.
@Suite(.explored, .timeLimit(.minutes(30)))
struct HistoryTests {
  @Test(arguments: allHistories)
  func `every schedule's history is explained by some order of the calls`(
    _ callers: [String]
  ) async {
    let scenario = history(of: callers, explained: explained(callers))
    for version in scenario.versions where !version.mechanism.hasPrefix("wrong") {
      let result = await version.explore()
      let outcomes = result.entries.map(\.outcome)
      #expect(result.isComplete && outcomes == ["explained"], "\(version.mechanism): \(outcomes)")
    }
  }

  @Test func `what is wrong is refuted, each by a history of three calls or fewer`() async {
    var refuted: Set<String> = []
    for callers in [["a", "r"], ["ar", "r"], ["a", "ar"]] {
      let scenario = history(of: callers, explained: explained(callers))
      for version in scenario.versions
      where version.mechanism.hasPrefix("wrong") && !refuted.contains(version.mechanism) {
        let result = await withoutDetail { await version.explore(limit: 10) }
        if result.entries.contains(where: { $0.outcome != "explained" }) {
          refuted.insert(version.mechanism)
        }
      }
    }
    #expect(refuted.count == 5, "\(refuted.sorted())")
  }

  @Test func `the model knows what one call at a time gives`() {
    #expect(explained(["a", "r"]) == ["; ", "; 0"])
    #expect(explained(["a", "ar"]) == ["; 0 10", "; 10 0", "; 10"])
    #expect(allHistories.count >= 15)
  }
}

private let calls =
  ProcessInfo.processInfo.environment["HISTORY_CALLS"].flatMap { Int($0) } ?? 3

/// Each with its callers in ascending order: who is called what makes no difference.
private let allHistories: [[String]] = {
  var all: [[String]] = []
  for count in 2...max(2, calls) {
    for callers in words(count).flatMap({ splits($0, over: 2) + splits($0, over: 3) })
    where callers == callers.sorted() && !all.contains(callers) {
      all.append(callers)
    }
  }
  return all
}()

private func words(_ count: Int) -> [String] {
  count == 0 ? [""] : words(count - 1).flatMap { [$0 + "a", $0 + "r"] }
}

/// A word cut into so many pieces, none of them empty.
private func splits(_ word: String, over count: Int) -> [[String]] {
  if count == 1 { return word.isEmpty ? [] : [[word]] }
  return word.indices.dropFirst().flatMap { index in
    splits(String(word[index...]), over: count - 1).map { [String(word[..<index])] + $0 }
  }
}

/// What a manager gives that runs one call at a time: for each order of the calls what is read, in the words of
/// `histories`.
private func explained(_ callers: [String]) -> Set<String> {
  var all: Set<String> = []
  func go(_ next: [Int], _ photos: [Int], _ reads: [[String]]) {
    var isDone = true
    for (caller, calls) in callers.enumerated() where next[caller] < calls.count {
      isDone = false
      var (next, photos, reads) = (next, photos, reads)
      let call = Array(calls)[next[caller]]
      if call == "a" {
        photos.append(caller * 10 + next[caller])
      } else {
        reads[caller].append(photos.map { "\($0)" }.joined(separator: " "))
      }
      next[caller] += 1
      go(next, photos, reads)
    }
    if isDone { all.insert(reads.map { $0.joined(separator: ", ") }.joined(separator: "; ")) }
  }
  go(callers.map { _ in 0 }, [], callers.map { _ in [] })
  return all
}
