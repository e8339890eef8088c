import ExerciseChecking
import Testing

@testable import Answer

@Test func `events are written in the order of the calls`() async {
  await everyOrder(gives: "open 1, shut 2, open 3") {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    log.record(DoorEvent(badge: 2, action: "shut"))
    log.record(DoorEvent(badge: 3, action: "open"))
    await log.close()
    return await disk.text
  }
}

@Test func `an event that comes during a write is written after it`() async {
  await everyOrder(gives: "open 1, shut 2") {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    await Task.yield()
    log.record(DoorEvent(badge: 2, action: "shut"))
    await log.close()
    return await disk.text
  }
}

@Test func `so it is when the first write takes longest`() async {
  await everyOrder(gives: "open 1, shut 2, open 3, shut 4", time: .passesWhenIdle) {
    let disk = Disk(seconds: [100, 10, 1])
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    log.record(DoorEvent(badge: 2, action: "shut"))
    try await Task.sleep(for: .seconds(5))
    log.record(DoorEvent(badge: 3, action: "open"))
    try await Task.sleep(for: .seconds(101))
    log.record(DoorEvent(badge: 4, action: "shut"))
    await log.close()
    return await disk.text
  }
}

@Test func `a burst of a hundred events is written in order while one write takes long`() async {
  await everyOrder(
    gives: "all 100 in order", within: .upTo(classes: 1, preempted: 1, drawn: 1), steps: 100_000,
    time: .passesWhenIdle
  ) {
    let disk = Disk(seconds: [60])
    let log = AuditLog { await disk.write($0) }
    for badge in 1...100 { log.record(DoorEvent(badge: badge, action: "open")) }
    await log.close()
    let lines = await disk.lines
    guard lines.count == 100 else { return "\(lines.count) of 100" }
    return lines == (1...100).map { "open \($0)" } ? "all 100 in order" : "not in order"
  }
}

@Test func `two doors at once: every line is written once, each door in its order`()
  async
{
  let right = ["1 2 3 4", "1 3 2 4", "1 3 4 2", "3 1 2 4", "3 1 4 2", "3 4 1 2"]
  await everyOrder(gives: "one of six mixtures") {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    await withDiscardingTaskGroup { group in
      for first in [1, 3] {
        group.addTask(name: "door \(first)") {
          log.record(DoorEvent(badge: first, action: "open"))
          log.record(DoorEvent(badge: first + 1, action: "open"))
        }
      }
    }
    await log.close()
    let badges = await disk.lines.map { String($0.dropFirst(5)) }.joined(separator: " ")
    return right.contains(badges) ? "one of six mixtures" : badges
  }
}

@Test func `events are written while the log is open`() async {
  await everyOrder(gives: "open 1, then open 1, shut 2", time: .passesWhenIdle) {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    try await Task.sleep(for: .seconds(60))
    let first = await disk.text
    log.record(DoorEvent(badge: 2, action: "shut"))
    try await Task.sleep(for: .seconds(60))
    let text = "\(first), then \(await disk.text)"
    await log.close()
    return text
  }
}

@Test func `when close returns, every event is written`() async {
  await everyOrder(gives: "open 1, shut 2") {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    await Task.yield()
    log.record(DoorEvent(badge: 2, action: "shut"))
    await log.close()
    return await disk.text
  }
}

@Test func `so it is for each of two that close at the same time`() async {
  await everyOrder(gives: "open 1 for both") {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    @Sendable func closed() async -> String {
      await log.close()
      return await disk.text
    }
    async let one = closed()
    async let two = closed()
    let texts = await [one, two]
    return texts == ["open 1", "open 1"] ? "open 1 for both" : "\(texts)"
  }
}

@Test func `so it is when the task that closes is cancelled`() async {
  await everyOrder(gives: "open 1, shut 2") {
    let disk = Disk()
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    log.record(DoorEvent(badge: 2, action: "shut"))
    let closer = Task(name: "closer") {
      await log.close()
      return await disk.text
    }
    closer.cancel()
    return await closer.value
  }
}

@Test func `after close has returned, nothing more is written`() async {
  await everyOrder(gives: "nothing more", time: .passesWhenIdle) {
    let disk = Disk(seconds: [10, 10])
    let log = AuditLog { await disk.write($0) }
    log.record(DoorEvent(badge: 1, action: "open"))
    let late = Task(name: "late") {
      try await Task.sleep(for: .seconds(5))
      log.record(DoorEvent(badge: 2, action: "shut"))
    }
    await log.close()
    let text = await disk.text
    try await late.value
    log.record(DoorEvent(badge: 3, action: "open"))
    try await Task.sleep(for: .seconds(60))
    let later = await disk.text
    return text == later ? "nothing more" : "at first \(text), and a minute later \(later)"
  }
}

/// A disk takes its time, and another write can overtake.
private actor Disk {
  private let arm = Arm()
  private var seconds: [Int]
  private(set) var lines: [String] = []

  /// - Parameter seconds: How long the first writes take.
  init(seconds: [Int] = []) { self.seconds = seconds.reversed() }

  var text: String { lines.isEmpty ? "nothing" : lines.joined(separator: ", ") }

  nonisolated func write(_ line: String) async {
    await arm.move()
    if let seconds = await next() { try? await Task.sleep(for: .seconds(seconds)) }
    if Task.isCancelled { return }
    await append(line)
  }

  private func next() -> Int? { seconds.popLast() }

  private func append(_ line: String) { lines.append(line) }
}

/// What a disk waits for.
private actor Arm {
  func move() {}
}
