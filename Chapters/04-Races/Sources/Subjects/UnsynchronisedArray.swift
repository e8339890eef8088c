import Workbook

extension Subject {
  static let unsynchronisedArray = Subject(
    "unsynchronised-array",
    asks: "A and B each append a name. How many names are lost?",
    right: .allowed("0 lost"),
    implementations: [
      .before("plain array", oneLost.onlyPlayed, .race) { appends(to: Plain.UploadLog()) }
        .code("UploadLogPlain.swift", "var longer"),
      .before("NSLock for each use", oneLost) { appends(to: LockedByHalves.UploadLog()) }
        .code("UploadLogTwoLocks.swift", "func append")
        .notPlayed("A holds the lock wherever it can be stopped"),
      .before("serial queue") { appends(to: Queued.UploadLog()) }
        .code("UploadLogSerialQueue.swift", "func append"),
      .before("NSLock") { appends(to: Locked.UploadLog()) }
        .code("UploadLogLock.swift", "func append"),
      .after("Mutex") { appends(to: Mutexed.UploadLog()) }
        .code("UploadLogMutex.swift", "func append"),
      .after("actor") { appends(to: Isolated.UploadLog()) }
        .code("UploadLogActor.swift", "actor UploadLog"),
    ])

  private static let oneLost = Outcome.surprising(
    "1 lost", "A writes back the array as it was before B")
}

/// Remembers what was uploaded; every name that was appended is there, once.
private protocol Logging: AnyObject, Sendable {
  func append(_ name: String) async
  var names: [String] { get async }
}

extension Plain.UploadLog: Logging {}
extension LockedByHalves.UploadLog: Logging {}
extension Queued.UploadLog: Logging {}
extension Locked.UploadLog: Logging {}
extension Mutexed.UploadLog: Logging {}
extension Isolated.UploadLog: Logging {}

/// A is stopped before it changes the array.
private func appends(to log: some Logging) -> Encounter {
  Encounter(over: log, stoppedAt: .change(1)) { name in
    await log.append("\(name).jpg")
  } outcome: { _, _ in
    "\(2 - (await Set(log.names).count)) lost"
  }
}
