import Dispatch
import Foundation
import QueuesMainActor
import QueuesNonsending
import Workbook

extension Demo {
  static let leaveAndReturn = Demo(
    "leave-and-return",
    asks: "A photo is searched for faces. Where does the search run, and where is it shown?",
    sides: [
      .before(
        "global queue, then main queue", .allowed("searched elsewhere, shown on main queue"),
        .forbidden("searched on main queue, shown on main queue")
      ) { transcript in
        let overlay = Queued.FaceOverlay()
        let searched = Transcript()
        let shown = await withCheckedContinuation { continuation in
          DispatchQueue.main.async {
            overlay.show(.twoFaces) { photo in
              searched.say(Place.current.phrase)
              return photo.faces()
            } completion: {
              continuation.resume(returning: Place.current)
            }
          }
        }
        transcript.say("\(await MainActor.run { overlay.faces.count }) faces")
        return "searched \(searched.steps.joined()), shown \(shown.phrase)"
      },
      .after(
        "@concurrent function, awaited on @MainActor",
        .allowed("searched elsewhere, shown on main queue"),
        .forbidden("searched on main queue, shown on main queue"), run: leaveAndReturnAsync),
    ])

  static let whereItRuns = Demo(
    "where-it-runs",
    asks: "An async function says nothing about isolation. Where does it run, called from main?",
    sides: [
      .before(
        "plain function, called on a queue", .allowed("from main: main queue"),
        .forbidden("from main: elsewhere")
      ) { _ in
        let place = await withCheckedContinuation { continuation in
          DispatchQueue.main.async { continuation.resume(returning: Place.current.rawValue) }
        }
        return "from main: \(place)"
      },
      .after(
        "Swift 6 as it comes",
        .surprising("from main: elsewhere", "the caller's actor is left"),
        .forbidden("from main: main queue")
      ) { transcript in
        await unmarked(transcript, Queues.places)
      },
      .after(
        "NonisolatedNonsendingByDefault",
        .allowed("from main: main queue", "the caller's actor is kept"),
        .forbidden("from main: elsewhere")
      ) { transcript in
        await unmarked(transcript, QueuesNonsending.places)
      },
      .after(
        "default isolation MainActor",
        .allowed("from main: main queue", "it belongs to the main actor"),
        .forbidden("from main: elsewhere")
      ) { transcript in
        await unmarked(transcript, QueuesMainActor.places)
      },
    ])

  static let mainThread = Demo(
    "main-thread",
    asks: "Which thread serves the main queue and the main actor?",
    sides: [
      .hazard(
        .before, "main calls RunLoop.main.run", .runLoopMain, .allowed("main thread"),
        .forbidden("another thread")),
      .hazard(
        .after, "async main", .asyncMain, asyncMainOutcome,
        .forbidden(asyncMainOutcome.value == "main thread" ? "another thread" : "main thread")),
    ])

  static let inheritedIsolation = Demo(
    "inherited-isolation",
    asks: "A closure is written in main-actor code and handed to a global queue. Does it run?",
    sides: [
      .hazard(
        .before, "DispatchWorkItem { … }", .inheritedIsolation,
        .surprising("trap", "the closure is inferred to be the main actor's"),
        .forbidden("ran")),
      .hazard(
        .before, "DispatchWorkItem { @Sendable in … }", .sendableClosure, .allowed("ran"),
        .forbidden("trap")),
      .after("@concurrent function", .allowed("ran elsewhere"), .forbidden("ran on main queue")) {
        _ in "ran \(await Awaited.Banner.prepare().phrase)"
      },
    ])
}

/// Where what is unmarked runs, called from the main actor; and it says where, called from no actor.
private func unmarked(
  _ transcript: Transcript,
  _ places: nonisolated(nonsending) @escaping @Sendable () async -> [String]
) async -> String {
  let place = await Task { @MainActor in await places()[0] }.value
  transcript.say("called from no actor: \(await places()[0])")
  return "from main: \(place)"
}

@Sendable
private func leaveAndReturnAsync(_ transcript: Transcript) async -> String {
  let searched = Transcript()
  let (count, shown) = await Task { @MainActor in
    let overlay = Awaited.FaceOverlay()
    await overlay.show(.twoFaces) { photo in
      searched.say(Place.current.phrase)
      return photo.faces()
    }
    return (overlay.faces.count, Place.current)
  }.value
  transcript.say("\(count) faces")
  return "searched \(searched.steps.joined()), shown \(shown.phrase)"
}

#if canImport(Darwin)
  private let asyncMainOutcome = Outcome.allowed("main thread")  // untested
#else
  private let asyncMainOutcome = Outcome.surprising(
    "another thread", "the main thread leaves at the first suspension")
#endif

extension Place {
  fileprivate var phrase: String { self == .mainQueue ? "on main queue" : "elsewhere" }
}
