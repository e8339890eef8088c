import ControlledDispatch
import ExerciseChecking
import Testing

@testable import Answer

/// What the check uses.
private protocol Saving: AnyObject, Sendable {
  init(
    every interval: DispatchTimeInterval, save: @escaping @Sendable () -> Void,
    ended: @escaping @Sendable () -> Void)
  func pause()
  func resume()
  func end()
}

extension Autosaver: Saving {}

/// A document, which writes down when it is saved.
private final class Document: Sendable {
  private let start = DispatchTime.now()
  private let notes = Mutex<[String]>([])
  private let isEnded = DispatchSemaphore(value: 0)
  /// How long a save takes, in seconds.
  private let duration: Double

  init(savingTakes duration: Double = 0) { self.duration = duration }

  var story: String { notes.withLock { $0.isEmpty ? "nothing" : $0.joined(separator: ", ") } }
  var saves: Int { notes.withLock { $0.count { $0.hasPrefix("save") } } }

  var time: Int {
    guard case .milliseconds(let time) = start.distance(to: .now()) else { return -1 }
    return time / 1_000
  }

  func note(_ text: String) {
    let time = time
    notes.withLock { $0.append("\(text) at \(time)") }
  }

  /// - Parameter whenSaved: Is called by each save, with its number, from 1 on.
  func autosaver(
    whenSaved: @escaping @Sendable (Int) -> Void = { _ in }
  ) -> any Saving {
    Autosaver(every: .seconds(10)) {
      self.note("save")
      if self.duration > 0 {
        Thread.sleep(forTimeInterval: self.duration)
        self.note("saved")
      }
      whenSaved(self.saves)
    } ended: {
      self.note("ended")
      self.isEnded.signal()
    }
  }

  func sleep(until seconds: Int) {
    let rest = seconds - time
    if rest > 0 { Thread.sleep(forTimeInterval: Double(rest)) }
  }

  func waitForEnd() { isEnded.wait() }
}

private let some = Orders.upTo(classes: 150, preempted: 80, drawn: 40)

/// - Parameter other: What is right, too.
private func check(
  _ right: String, _ other: String? = nil,
  _ scenario: @escaping @Sendable () -> String
) async {
  guard let other else {
    return await everyOrder(
      gives: right, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
  }
  await everyOrder(
    gives: right, other, within: some, steps: 2_000, time: .passesWhenIdle, of: scenario)
}

/// Does things at times, in seconds, ends at a time, and tells what was saved when.
@Sendable private func story(
  _ document: Document = Document(), end time: Int,
  _ steps: (at: Int, do: (any Saving) -> Void)...
) -> String {
  let autosaver = document.autosaver()
  for step in steps {
    document.sleep(until: step.at)
    step.do(autosaver)
  }
  document.sleep(until: time)
  autosaver.end()
  document.waitForEnd()
  document.sleep(until: time + 100)
  return document.story
}

@Test func `it saves each interval, until it ends`() async {
  await check("save at 10, save at 20, save at 30, ended at 35") { story(end: 35) }
  await check("ended at 5") { story(end: 5) }
}

@Test func `no save begins in a pause, and afterwards they keep to their times`() async {
  await check("save at 10, save at 20, save at 30, ended at 35") {
    story(end: 35, (12, { $0.pause() }), (17, { $0.resume() }))
  }
}

@Test func `for those that were missed in a pause, there is one as soon as it is resumed`() async {
  await check("save at 10, save at 57, save at 60, save at 70, ended at 75") {
    story(end: 75, (12, { $0.pause() }), (57, { $0.resume() }))
  }
  await check("save at 27, save at 30, save at 58, save at 60, ended at 65") {
    story(
      end: 65, (3, { $0.pause() }), (27, { $0.resume() }), (35, { $0.pause() }),
      (58, { $0.resume() }))
  }
}

@Test func `one resume is enough after several pauses`() async {
  await check("save at 10, save at 45, save at 50, ended at 55") {
    story(
      end: 55, (12, { $0.pause() }), (13, { $0.pause() }), (14, { $0.pause() }),
      (45, { $0.resume() }))
  }
}

@Test func `a resume without a pause does nothing, and the next pause is one`() async {
  await check("save at 10, save at 45, save at 50, ended at 55") {
    story(
      end: 55, (3, { $0.resume() }), (4, { $0.resume() }), (12, { $0.pause() }),
      (45, { $0.resume() }), (46, { $0.resume() }))
  }
}

@Test func `it ends in a pause, without the saves that were missed`() async {
  await check("save at 10, ended at 45") { story(end: 45, (12, { $0.pause() })) }
  await check("ended at 45") { story(end: 45, (2, { $0.pause() }), (3, { $0.pause() })) }
}

@Test func `a save that is under way goes on, and ended comes behind it`() async {
  await check("save at 10, saved at 14, save at 40, saved at 44, ended at 44") {
    let document = Document(savingTakes: 4)
    return story(
      document, end: 42, (12, { $0.pause() }), (15, { $0.resume() }), (16, { $0.pause() }),
      (40, { $0.resume() }))
  }
}

@Test func `ended is called once, however often it ends`() async {
  await check("save at 10, ended at 12") {
    story(end: 15, (12, { $0.end() }), (13, { $0.end() }))
  }
  await check("save at 10, ended at 13") {
    story(end: 15, (12, { $0.pause() }), (13, { $0.end() }), (14, { $0.end() }))
  }
}

@Test func `after the end, pause and resume do nothing`() async {
  await check("save at 10, ended at 12") {
    story(
      end: 55, (12, { $0.end() }), (13, { $0.resume() }), (14, { $0.pause() }),
      (15, { $0.pause() }),
      (45, { $0.resume() }), (46, { $0.resume() }), (47, { $0.pause() }))
  }
}

/// Lets go of an autosaver without an end.
@Sendable private func storyOfRelease(at time: Int, isPaused: Bool) -> String {
  let document = Document()
  do {
    let autosaver = document.autosaver()
    document.sleep(until: 12)
    if isPaused { autosaver.pause() }
    document.sleep(until: time)
    withExtendedLifetime(autosaver) {}
  }
  document.waitForEnd()
  document.sleep(until: time + 100)
  return document.story
}

@Test func `one that is released ends, paused or not`() async {
  await check("save at 10, ended at 15") { storyOfRelease(at: 15, isPaused: false) }
  await check("save at 10, ended at 15") { storyOfRelease(at: 15, isPaused: true) }
  await check("save at 10, ended at 45") { storyOfRelease(at: 45, isPaused: true) }
}

@Test func `a save may pause, and another thread resumes`() async {
  await check("save at 10, save at 20, save at 45, save at 50, ended at 55") {
    let document = Document()
    let own = Mutex<(any Saving)?>(nil)
    let autosaver = document.autosaver { number in
      if number == 2 { own.withLock { $0 }?.pause() }
    }
    own.withLock { $0 = autosaver }
    document.sleep(until: 45)
    autosaver.resume()
    document.sleep(until: 55)
    own.withLock { $0 = nil }
    autosaver.end()
    document.waitForEnd()
    return document.story
  }
}

@Test func `a save may end it`() async {
  await check("save at 10, save at 20, ended at 20") {
    let document = Document()
    let own = Mutex<(any Saving)?>(nil)
    let autosaver = document.autosaver { number in
      if number == 2 { own.withLock { $0 }?.end() }
    }
    own.withLock { $0 = autosaver }
    document.waitForEnd()
    document.sleep(until: 100)
    own.withLock { $0 = nil }
    return document.story
  }
}

@Test func `a save may release it`() async {
  await check("save at 10, save at 20, ended at 20") {
    let document = Document()
    let own = Mutex<(any Saving)?>(nil)
    do {
      let autosaver = document.autosaver { number in
        guard number == 2 else { return }
        let last = own.withLock { $0.take() }
        last?.pause()
        withExtendedLifetime(last) {}
      }
      own.withLock { $0 = autosaver }
    }
    document.waitForEnd()
    document.sleep(until: 100)
    return document.story
  }
}

/// Does things at the same moment on several threads, and ends later.
@Sendable private func story(
  at time: Int, end: Int, _ calls: @Sendable (any Saving) -> Void...
) -> String {
  let document = Document()
  let autosaver = document.autosaver()
  document.sleep(until: time)
  let group = DispatchGroup()
  for call in calls {
    DispatchQueue.global().async(group: group) { call(autosaver) }
  }
  group.wait()
  autosaver.resume()
  document.sleep(until: end)
  autosaver.end()
  document.waitForEnd()
  return document.story
}

@Test func `several threads may pause and resume at the same time`() async {
  await check("save at 10, save at 20, ended at 25") {
    story(at: 12, end: 25, { $0.pause() }, { $0.pause() })
  }
  await check("save at 10, save at 20, ended at 25") {
    story(at: 12, end: 25, { $0.pause() }, { $0.resume() }, { $0.pause() })
  }
  await check("save at 10, save at 20, ended at 25") {
    story(
      at: 12, end: 25,
      {
        $0.pause()
        $0.resume()
      },
      {
        $0.pause()
        $0.resume()
      })
  }
}

@Test func `one may pause or resume while another one ends it`() async {
  await check("save at 10, ended at 12") {
    story(at: 12, end: 25, { $0.pause() }, { $0.end() })
  }
  await check("save at 10, ended at 12") {
    story(
      at: 12, end: 25,
      {
        $0.pause()
        $0.resume()
      }, { $0.end() })
  }
  await check("save at 10, ended at 12") {
    story(at: 12, end: 25, { $0.end() }, { $0.end() }, { $0.pause() })
  }
}

@Test func `when pause has returned, no save begins but one that was under way`() async {
  await check("at most one more") {
    let document = Document()
    let autosaver = document.autosaver()
    document.sleep(until: 20)
    autosaver.pause()
    let saves = document.saves
    document.sleep(until: 55)
    let later = document.saves
    autosaver.end()
    document.waitForEnd()
    document.sleep(until: 100)
    guard document.saves == later else { return "another one after the end" }
    return later - saves <= 1 ? "at most one more" : "\(later - saves) more"
  }
}
