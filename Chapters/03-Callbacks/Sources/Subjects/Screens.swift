import Dispatch
import Foundation
import Workbook

extension Subject {
  static let olderAnswer = Subject(
    "older-answer",
    asks: "The user asks for Ada, and then for Bo. Who is shown in the end?",
    right: .allowed("Bo"),
    implementations: [
      .before(
        "the answer that comes last", .surprising("Ada", "the server took longer for her"),
        .allowed("Bo", "her answer came first").onlyExplored
      ) { stage in
        await shownLast(on: stage) { Unnumbered.PersonScreen(load: $0) }
      }
      .code("PersonScreenUnnumbered.swift", "self?.content ="),
      .before("a number for each request") { stage in
        await shownLast(on: stage) {
          CalledBack.PersonScreen(indicator: BusyIndicator(), load: $0)
        }
      }
      .code("PersonScreenCallback.swift", "number == latest"),
      .after("a task that the next one cancels") { stage in
        await shownLastByTasks(on: stage)
      }
      .code("PersonScreenAsync.swift", "if !Task.isCancelled"),
    ])

  static let beforeItReturns = Subject(
    "before-it-returns",
    asks: "A person is in memory, so a store can answer at once. What does the screen show?",
    right: .allowed("Ada"),
    implementations: [
      .before(
        "called back before the call returns",
        .surprising("Ada, and still loading", "loading ended before it began")
      ) { _ in
        await shownEarly { _, completion in
          completion(.success(.ada))
          return {}
        }
      }
      .code("PersonScreenTooEarly.swift", "isLoading = true")
      .alwaysWrong,
      .before("called back later, always") { _ in
        let store = CalledBack.PersonStore(known: .ada, service: Desk())
        return await shownEarly { store.person($0, then: $1) }
      }
      .code("PersonStoreCallback.swift", "DispatchQueue.main.async"),
      .after("await") { _ in
        let store = Async.PersonStore(known: .ada, service: Desk())
        return await shownByTask { try await store.person($0) }
      }
      .code("PersonScreenAsync.swift", "indicator.begin()"),
    ])

  static let whoseThread = Subject(
    "whose-thread",
    asks: "The answer comes while the main thread draws. Which thread says that loading is over?",
    right: .allowed("done"), .forbidden("still loading"),
    implementations: [
      .before("the service's", .race, .allowed("done", "as if all were well")) { _ in
        await result { report in
          DispatchQueue.main.async {
            let (answers, isDrawn) = (DispatchGroup(), Flag())
            answers.enter()
            let screen = OffMain.PersonScreen(service: Watched(whenAnswered: answers.leave))
            screen.show(1)
            if screen.isLoading { isDrawn.set() }
            answers.notify(queue: .main) { report(loading(screen.isLoading)) }
          }
        }
      }
      .code("PersonScreenOffMain.swift", "self?.isLoading ="),
      .before("main") { _ in
        let (desk, indicator) = (Desk(), BusyIndicator())
        return await shown {
          CalledBack.PersonScreen(indicator: indicator, load: $0)
        } asking: { id, completion in
          desk.person(id) { result in DispatchQueue.main.async { completion(result) } }
        } saying: { _ in
          loading(indicator.isOn)
        }
      }
      .code("PersonScreenCallback.swift", "cancel = load(id)"),
      .after("main, by its actor") { _ in
        let desk = Desk()
        let told = await shownByTask { try await desk.person($0) }
        return loading(told.hasSuffix("loading"))
      }
      .code("PersonScreenAsync.swift", "@MainActor"),
    ])
}

private func loading(_ isLoading: Bool) -> String { isLoading ? "still loading" : "done" }

/// A server that says when it has answered.
private struct Watched: PersonService {
  private let desk = Desk()
  private let answered: @Sendable () -> Void

  init(whenAnswered answered: @escaping @Sendable () -> Void) { self.answered = answered }

  func person(_ id: Int, then completion: @escaping Completion<Person?>) -> Cancel {
    desk.person(id) {
      completion($0)
      answered()
    }
  }
}

extension KnownPersons {
  static var nobody: KnownPersons { KnownPersons(in: URL(filePath: "/nowhere/")) }

  static var ada: KnownPersons {
    let known = nobody
    known.keep(.ada)
    return known
  }
}

// MARK: Screens that are called back

private typealias Load = @Sendable (Int, @escaping Completion<Person?>) -> Cancel

private protocol Showing: AnyObject, Sendable {
  var content: PersonContent { get }
  func show(_ id: Int)
}

extension CalledBack.PersonScreen: Showing {}
extension Unnumbered.PersonScreen: Showing {}
extension TooEarly.PersonScreen: Showing {}

/// Shows persons, one after the other, and says who is there when all answers are.
private func shown<Screen: Showing>(
  _ ids: [Int] = [1], on make: @escaping @Sendable (@escaping Load) -> Screen,
  asking load: @escaping Load,
  saying words: @escaping @Sendable (Screen) -> String = { told($0.content) }
) async -> String {
  await result { report in
    DispatchQueue.main.async {
      let answers = DispatchGroup()
      let screen = make { id, completion in
        answers.enter()
        return load(id) {
          completion($0)
          answers.leave()
        }
      }
      for id in ids { screen.show(id) }
      answers.notify(queue: .main) { report(words(screen)) }
    }
  }
}

/// Asks for Ada and for Bo. Played, the answer for Ada waits until Bo is shown.
private func shownLast(
  on stage: Stage, _ make: @escaping @Sendable (@escaping Load) -> some Showing
) async -> String {
  let isBoShown = DispatchSemaphore(value: 0)
  let desk = Desk { id in
    if id == 1, !stage.isExplored { isBoShown.wait() }
  }
  return await shown([1, 2], on: make) { id, completion in
    desk.person(id) { result in
      DispatchQueue.main.async {
        completion(result)
        if id == 2 { isBoShown.signal() }
      }
    }
  }
}

private func shownEarly(_ load: @escaping Load) async -> String {
  await shown {
    TooEarly.PersonScreen(load: $0)
  } asking: {
    load($0, $1)
  } saying: { screen in
    told(screen.content) + (screen.isLoading ? ", and still loading" : "")
  }
}

// MARK: Screens of tasks

@MainActor private func shownByTask(
  _ load: @escaping @Sendable (Int) async throws -> Person?
) async -> String {
  let indicator = BusyIndicator()
  let screen = Async.PersonScreen(indicator: indicator, load: load)
  screen.show(1)
  await screen.task?.value
  return told(screen.content) + (indicator.isOn ? ", and still loading" : "")
}

@MainActor private func shownLastByTasks(on stage: Stage) async -> String {
  let (desk, isBoShown) = (Desk(), Gate())
  let screen = Async.PersonScreen(indicator: BusyIndicator()) { id in
    if id == 1, !stage.isExplored { await isBoShown.wait() }
    return try await desk.person(id)
  }
  screen.show(1)
  let older = screen.task
  screen.show(2)
  await screen.task?.value
  isBoShown.open()
  await older?.value
  return told(screen.content)
}
