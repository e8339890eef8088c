import Workbook

extension Subject {
  static let readDuringWrite = Subject(
    "read-during-write",
    asks: "A counts a photo of 5 bytes while B reads photos and bytes. What does B see?",
    right: .allowed("B sees all or nothing"),
    implementations: [
      .before(
        "concurrent queue, no barrier",
        .surprising("B sees 1 photo of 0 bytes", "it reads between A's two writes"),
        .surprising("B sees 0 photos of 5 bytes", "A writes between its two reads").onlyExplored,
        .race
      ) { reading(Unbarriered.UsageMeter()) }
      .code("UsageNoBarriers.swift", "queue.sync"),
      .before("concurrent queue, barrier for writes") { reading(Barriered.UsageMeter()) }
        .code("UsageBarrier.swift", "queue.sync(flags"),
      .after("Mutex") { reading(Mutexed.UsageMeter()) }
        .code("UsageMutex.swift", "total.withLock"),
      .after("actor") { reading(Isolated.UsageMeter()) }
        .code("UsageActor.swift", "actor UsageMeter"),
    ])
}

/// Counts photos and what they take, both at once.
private protocol Metering: AnyObject, Sendable {
  func add(bytes: Int) async
  var usage: Usage { get async }
}

extension Unbarriered.UsageMeter: Metering {}
extension Barriered.UsageMeter: Metering {}
extension Mutexed.UsageMeter: Metering {}
extension Isolated.UsageMeter: Metering {}

/// A is stopped between its two writes.
private func reading(_ meter: some Metering) -> Encounter {
  Encounter(over: meter, stoppedAt: .change(2)) {
    await meter.add(bytes: 5)
  } by: {
    await meter.usage
  } outcome: { _, seen in
    if seen == Usage() || seen == Usage(photos: 1, bytes: 5) { return "B sees all or nothing" }
    return "B sees \(seen.photos) photo\(seen.photos == 1 ? "" : "s") of \(seen.bytes) bytes"
  }
}
