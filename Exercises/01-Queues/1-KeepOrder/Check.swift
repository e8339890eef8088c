import Interleaving
import InterleavingTesting
import Testing

@Test func `events are written in the order of the calls`() async {
  let exploration = await explore(
    stopsAtFailure: true, time: .passesWhenIdle, allowing: ["open 7, shut 7"].contains
  ) {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 7, action: "open"))
    log.record(DoorEvent(badge: 7, action: "shut"))
    try await Task.sleep(for: .seconds(60))
    let text = await disk.text
    await log.close()
    return text
  }
  exploration.expectNoFailures()
}

@Test func `an event that comes during a write is written after it`() async {
  let exploration = await explore(
    stopsAtFailure: true, time: .passesWhenIdle, allowing: ["open 7, shut 7"].contains
  ) {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 7, action: "open"))
    await Task.yield()
    log.record(DoorEvent(badge: 7, action: "shut"))
    try await Task.sleep(for: .seconds(60))
    let text = await disk.text
    await log.close()
    return text
  }
  exploration.expectNoFailures()
}

@Test func `when close returns, every event is written`() async {
  // Answers that start many tasks have more schedules than are needed to see it.
  let exploration = await explore(
    .reduced(assuming: .actorIsolation), stopsAtFailure: true,
    allowing: ["2 of 2 written"].contains
  ) {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 7, action: "open"))
    await Task.yield()
    log.record(DoorEvent(badge: 7, action: "shut"))
    await log.close()
    return "\(await disk.count) of 2 written"
  }
  exploration.expectNoFailures()
}

/// A disk takes its time, and another write can overtake.
private actor Disk {
  private let arm = Arm()
  private(set) var text = "nothing"
  private(set) var count = 0

  nonisolated func write(_ line: String) async {
    await arm.move()
    if Task.isCancelled { return }
    await append(line)
  }

  private func append(_ line: String) {
    text = count == 0 ? line : text + ", " + line
    count += 1
  }
}

/// What a disk waits for.
private actor Arm {
  func move() {}
}
