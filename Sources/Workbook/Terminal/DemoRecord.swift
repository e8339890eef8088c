import Foundation

/// A run of a demo as one line of JSON.
struct DemoRecord: Encodable {
  struct SideRecord: Encodable {
    let era: Side.Era
    let mechanism: String
    let outcome: String
    let standing: SideResult.Standing
    let why: String
    let holds: Bool
    let steps: [String]
  }

  let chapter: String
  let demo: String
  let verified: Bool
  let milliseconds: Int
  let sides: [SideRecord]

  init(chapter: Chapter, result: DemoResult) {
    self.chapter = chapter.slug
    demo = result.demo.name
    verified = result.isVerified
    milliseconds = Int(result.duration / .milliseconds(1))
    sides = result.sides.map { side in
      SideRecord(
        era: side.side.era, mechanism: side.side.mechanism, outcome: side.outcome,
        standing: side.standing, why: side.why, holds: side.holds, steps: side.steps)
    }
  }
}

/// A value as one line of JSON with its keys in alphabetical order.
public func jsonLine(_ value: some Encodable) throws -> String {
  let encoder = JSONEncoder()
  encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
  return String(decoding: try encoder.encode(value), as: UTF8.self)
}
