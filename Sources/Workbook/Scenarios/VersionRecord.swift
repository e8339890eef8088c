import Interleaving

/// The exploration of a version as one line of JSON.
struct VersionRecord: Encodable {
  struct Entry: Encodable {
    let outcome: String
    let standing: SideResult.Standing
    let why: String
    let schedules: Int
    let schedule: String?
    let cause: String?
    let tasks: [String]?
    let steps: [Step]?
  }

  struct Step: Encodable {
    let task: Int
    let actor: String?
    let place: String?
    let notes: [String]
  }

  let chapter: String
  let scenario: String
  let version: String
  let verified: Bool
  let schedules: Int
  let complete: Bool
  let completeness: String
  let outcomes: [Entry]
  let unseen: [String]

  init(chapter: Chapter, _ scenario: Scenario, _ result: VersionResult) {
    self.chapter = chapter.slug
    self.scenario = scenario.name
    version = result.version.mechanism
    verified = result.holds
    schedules = result.schedules
    if case .complete = result.completeness { complete = true } else { complete = false }
    completeness = result.completeness.description
    outcomes = result.entries.map { entry in
      Entry(
        outcome: entry.outcome, standing: entry.standing, why: entry.why,
        schedules: entry.schedules, schedule: entry.schedule?.description,
        cause: entry.failure?.cause, tasks: entry.failure?.trace?.tasks,
        steps: entry.failure?.trace?.steps.map {
          Step(
            task: $0.task, actor: $0.actor, place: $0.place?.description,
            notes: $0.notes.map(\.text))
        })
    }
    unseen = result.unseen
  }
}
