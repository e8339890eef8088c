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
      }
      .code("FaceOverlayQueue.swift", "DispatchQueue.global"),
      .after(
        "@concurrent function, awaited on @MainActor",
        .allowed("searched elsewhere, shown on main queue"),
        .forbidden("searched on main queue, shown on main queue"), run: leaveAndReturnAsync
      )
      .code("FaceOverlayAsync.swift", "@concurrent"),
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
      }
      .code("DemosMainQueue.swift", "let place = await withChecked"),
      .after(
        "Swift 6 as it comes",
        .surprising("from main: elsewhere", "the caller's actor is left"),
        .forbidden("from main: main queue")
      ) { transcript in
        await unmarked(transcript, Queues.places)
      }
      .code("WhereItRuns.swift", "struct WhereItRuns"),
      .after(
        "NonisolatedNonsendingByDefault",
        .allowed("from main: main queue", "the caller's actor is kept"),
        .forbidden("from main: elsewhere")
      ) { transcript in
        await unmarked(transcript, QueuesNonsending.places)
      }
      .code("WhereItRuns.swift", "struct WhereItRuns"),
      .after(
        "default isolation MainActor",
        .allowed("from main: main queue", "it belongs to the main actor"),
        .forbidden("from main: elsewhere")
      ) { transcript in
        await unmarked(transcript, QueuesMainActor.places)
      }
      .code("WhereItRuns.swift", "struct WhereItRuns"),
    ])

  static let mainAnswers = Demo(
    "main-answers",
    asks: "A photo is searched for faces, and somebody taps. Does main answer during the search?",
    sides: [
      .before(
        "search on the main queue",
        .surprising("answered after the search", "main has one thing to do at a time"),
        .forbidden("answered during the search")
      ) { _ in
        await tapped { search in
          DispatchQueue.main.async { search() }
        }
      }
      .code("DemosMainQueue.swift", "DispatchQueue.main.async { search() }"),
      .before(
        "search on a global queue", .allowed("answered during the search"),
        .forbidden("answered after the search")
      ) { _ in
        let overlay = Queued.FaceOverlay()
        return await tapped { search in
          DispatchQueue.main.async {
            overlay.show(.twoFaces) { photo in
              search()
              return photo.faces()
            } completion: {
            }
          }
        }
      }
      .code("FaceOverlayQueue.swift", "DispatchQueue.global"),
      .after(
        "@concurrent function", .allowed("answered during the search"),
        .forbidden("answered after the search")
      ) { _ in
        await tapped { search in
          Task { @MainActor in
            await Awaited.FaceOverlay().show(.twoFaces) { photo in
              search()
              return photo.faces()
            }
          }
        }
      }
      .code("FaceOverlayAsync.swift", "@concurrent"),
    ])

  static let remindAt = Demo(
    "remind-at",
    asks: "A reminder is due at a moment, and not after a while. Is it shown before that?",
    sides: [
      .before("asyncAfter(wallDeadline:)", .allowed("not before"), .forbidden("too early")) { _ in
        let date = Date.now + 0.01
        let reminder = Queued.Reminder(queue: .global())
        return await withCheckedContinuation { continuation in
          reminder.remind(at: date) {
            continuation.resume(returning: Date.now >= date ? "not before" : "too early")
          }
        }
      }
      .code("ReminderQueue.swift", "asyncAfter(wallDeadline"),
      .after("Task.sleep(until:clock:)", .allowed("not before"), .forbidden("too early")) { _ in
        let moment = ContinuousClock.now + .milliseconds(10)
        let shown = Transcript()
        try await Awaited.Reminder().remind(at: moment) {
          shown.say(ContinuousClock.now >= moment ? "not before" : "too early")
        }
        return shown.steps.joined()
      }
      .code("ReminderClock.swift", "Task.sleep"),
    ])

  static let mainThread = Demo(
    "main-thread",
    asks: "Which thread serves the main queue and the main actor?",
    sides: [
      .hazard(
        .before, "main calls RunLoop.main.run", .runLoopMain, .allowed("main thread"),
        .forbidden("another thread")
      )
      .code("Hazards.swift", "while true"),
      .hazard(
        .after, "async main", .asyncMain, asyncMainOutcome,
        .forbidden(asyncMainOutcome.value == "main thread" ? "another thread" : "main thread")
      )
      .code("Hazards.swift", "static let asyncMain"),
    ])

  static let inheritedIsolation = Demo(
    "inherited-isolation",
    asks: "A closure is written in main-actor code and handed to a global queue. Does it run?",
    sides: [
      .hazard(
        .before, "DispatchWorkItem { … }", .inheritedIsolation,
        .surprising("trap", "the closure is inferred to be the main actor's"),
        .forbidden("2 faces")
      )
      .code("BannerQueue.swift", "func prepareTrapping"),
      .hazard(
        .before, "DispatchWorkItem { @Sendable in … }", .sendableClosure, .allowed("2 faces"),
        .forbidden("trap")
      )
      .code("BannerQueue.swift", "func prepare("),
      .after("@concurrent function", .allowed("2 faces"), .forbidden("trap")) { _ in
        "\(await Awaited.Banner.prepare(.twoFaces)) faces"
      }
      .code("BannerAsync.swift", "enum Banner"),
    ])
}

/// Begins a search, during which somebody taps; says when main answers.
///
/// The search takes until it is answered, unless it has main to itself.
private func tapped(_ begin: (_ search: @escaping @Sendable () -> Void) -> Void) async -> String {
  let (order, answered) = (Transcript(), DispatchSemaphore(value: 0))
  let both = DispatchGroup()
  both.enter()
  both.enter()
  begin {
    DispatchQueue.main.async {
      order.say("answered")
      answered.signal()
      both.leave()
    }
    if Place.current != .mainQueue { answered.wait() }
    order.say("searched")
    both.leave()
  }
  await withCheckedContinuation { continuation in
    both.notify(queue: .global()) { continuation.resume() }
  }
  return "answered \(order.steps[0] == "answered" ? "during" : "after") the search"
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
