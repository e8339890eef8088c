import Workbook

/// The photo managers under every schedule of some callers, held against a model that runs one call at a time.
///
/// - Parameters:
///   - callers: What each caller calls, one after the other: `a` adds a photo, `r` reads all.
///   - explained: What the model may give: for each caller what its reads gave, as in "0, 0 1; 1".
/// - Returns: A subject whose right forms give "explained" only.
public func histories(of callers: [String], explained: Set<String>) -> Subject {
  func form(
    _ name: String, _ make: @escaping @Sendable () -> some Managing
  ) -> Implementation {
    .before(name) { stage in
      let given = await seen(by: callers, stage, make())
      return explained.contains(given) ? "explained" : "not explained: \(given)"
    }
  }
  return Subject(
    "history-\(callers.joined(separator: "-"))", asks: "What do the callers read?",
    right: .allowed("explained"),
    implementations: [
      form("serial queue") { Queued.PhotoManager() },
      form("barrier queue") { Barriered.PhotoManager() },
      form("Mutex") { Mutexed.PhotoManager() },
      form("snapshot") { Snapshotted.PhotoManager() },
      form("actor") { Isolated.PhotoManager() },
      form("wrong: nothing") { Plain.PhotoManager() },
      form("wrong: no barrier") { Unbarriered.PhotoManager() },
      form("wrong: global queue") { OnGlobalQueue.PhotoManager() },
      form("wrong: halves") { LockedByHalves.PhotoManager() },
      form("wrong: task that nobody awaits") { Unawaited.PhotoManager() },
    ])
}

/// What each caller reads, in the words of the model.
private func seen(
  by callers: [String], _ stage: Stage, _ manager: some Managing
) async -> String {
  let all = callers.map { _ in Reads() }
  let carrier: Encounter.Carrier = manager is any Actor ? .tasks : .threads
  await stage.run(callers.count, called: "caller", on: carrier) { number in
    for (index, call) in callers[number].enumerated() {
      if call == "a" {
        // Each photo says who added it, and as which of the caller's calls.
        await manager.add(number * 10 + index)
      } else {
        let ids = await manager.ids
        all[number].texts.append(ids.map { "\($0)" }.joined(separator: " "))
      }
    }
  }
  return all.map { $0.texts.joined(separator: ", ") }.joined(separator: "; ")
}

// Sendable because one caller writes it, and it is read when that one is done.
private final class Reads: @unchecked Sendable {
  var texts: [String] = []
}
