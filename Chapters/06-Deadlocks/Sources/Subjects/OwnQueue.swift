import Synchronization
import Workbook

extension Subject {
  static let ownQueue = Subject(
    "own-queue",
    asks: "A listener that is told of a change asks for the new value. What happens?",
    right: .allowed("the listener sees 7"),
    implementations: [
      .before(
        "serial queue, told inside",
        .trap("sync on its own queue: Dispatch finds it, and ends the process without a word")
      ) { change(QueuedInside.Settings(), $0) }
      .code("SettingsTellingInside.swift", "values[key] = value")
      .alwaysWrong
      .watched("deadlock, confirmed: main", "before Dispatch traps"),
      .before(
        "NSLock, told inside", .deadlock("nobody looks: the thread waits for itself")
      ) { change(LockedInside.Settings(), $0) }
      .code("SettingsTellingLocked.swift", "values[key] = value")
      .alwaysWrong
      .watched("deadlock, confirmed: main", "before the thread waits for itself")
      .found(
        "a cycle of 1: scenario waits for NSLock of Settings, held by scenario"),
      .before("serial queue, told after") { change(Queued.Settings(), $0) }
        .code("SettingsSerialQueue.swift", "return self.listeners"),
      .after(
        "Mutex, told inside",
        .trap("on Linux the kernel finds it, and Mutex says so").played(as: "fatal error")
      ) { change(MutexedInside.Settings(), $0) }
      .code("SettingsTellingUnderMutex.swift", "values[key] = value")
      .alwaysWrong
      .watched("deadlock, confirmed: main", "before the thread waits for itself"),
      .after("Mutex, told after") { change(Mutexed.Settings(), $0) }
        .code("SettingsMutex.swift", "return state.listeners"),
      .after(
        "actor, told inside",
        .allowed("the listener sees 7", "the actor is free during the await")
      ) { _ in
        let (settings, seen) = (Isolated.Settings(), Seen())
        await settings.observe { await seen.see(await settings.value(for: $0)) }
        await settings.set(7, for: "volume")
        return "the listener sees \(await seen.value)"
      }
      .code("SettingsActor.swift", "func set("),
    ])
}

/// Keeps values, and tells its listeners when one has changed.
private protocol Telling: Sendable {
  func value(for key: String) -> Int
  func observe(_ listener: @escaping Listener)
  func set(_ value: Int, for key: String)
}

extension Queued.Settings: Telling {}
extension QueuedInside.Settings: Telling {}
extension LockedInside.Settings: Telling {}
extension Mutexed.Settings: Telling {}
extension MutexedInside.Settings: Telling {}

private func change(_ settings: some Telling, _ stage: Stage) -> String {
  let seen = Atomic(0)
  settings.observe { key in
    seen.store(settings.value(for: key), ordering: .sequentiallyConsistent)
  }
  stage.aboutToBlock("a listener asks for the value, inside the change")
  settings.set(7, for: "volume")
  return "the listener sees \(seen.load(ordering: .sequentiallyConsistent))"
}

private actor Seen {
  private(set) var value = 0
  func see(_ value: Int) { self.value = value }
}
