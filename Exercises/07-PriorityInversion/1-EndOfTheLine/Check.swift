import Testing

@testable import Answer

/// What the check uses.
private protocol Photos {
  init()
  mutating func add(_ photo: String, priority: Int, at time: Int)
  mutating func next(at time: Int) -> String?
}

extension Line: Photos {}

private func line() -> any Photos { Line() }

@Test func `the most urgent photo is next`() {
  var line = line()
  #expect(line.next(at: 0) == nil)
  line.add("cover", priority: 0, at: 0)
  line.add("screen", priority: 3, at: 1)
  #expect(line.next(at: 2) == "screen")
  #expect(line.next(at: 3) == "cover")
  #expect(line.next(at: 4) == nil)
}

@Test func `of equally urgent ones the first is next`() {
  var line = line()
  for (time, photo) in ["a", "b", "c"].enumerated() { line.add(photo, priority: 1, at: time) }
  #expect((3...5).map { line.next(at: $0) } == ["a", "b", "c"])
}

@Test func `of some that came in one tick, too`() {
  var line = line()
  for photo in ["a", "b", "c", "d", "e"] { line.add(photo, priority: 1, at: 7) }
  line.add("f", priority: 2, at: 7)
  #expect((8...13).map { line.next(at: $0) } == ["f", "a", "b", "c", "d", "e"])
}

@Test func `a photo that is asked for twice is decoded twice`() {
  var line = line()
  line.add("a", priority: 1, at: 0)
  line.add("a", priority: 2, at: 0)
  #expect((1...3).map { line.next(at: $0) } == ["a", "a", nil])
  // The one that was served is gone, and not the other one.
  line.add("a", priority: 1, at: 4)
  line.add("a", priority: 3, at: 4)
  line.add("b", priority: 2, at: 4)
  #expect((5...8).map { line.next(at: $0) } == ["a", "b", "a", nil])
}

@Test func `a photo counts as one more urgent for each 10 ticks`() {
  for (wait, expected) in [(9, "screen"), (19, "screen"), (20, "cover"), (29, "cover")] {
    var line = line()
    line.add("cover", priority: 0, at: 0)
    line.add("screen", priority: 2, at: wait)
    #expect(line.next(at: wait) == expected, "after \(wait) ticks")
  }
}

@Test func `however long it has waited`() {
  for (wait, priority, expected) in [
    (119, 12, "screen"), (120, 12, "cover"), (999, 100, "screen"), (1_000, 100, "cover"),
  ] {
    var line = line()
    line.add("cover", priority: 0, at: 0)
    line.add("screen", priority: priority, at: wait)
    #expect(line.next(at: wait) == expected, "after \(wait) ticks")
  }
}

@Test func `half a step does not count`() {
  var line = line()
  line.add("cover", priority: 0, at: 0)
  line.add("screen", priority: 1, at: 5)
  // The cover has waited for 14 ticks and counts as 1, the other one for 9 and counts as 1, too.
  #expect(line.next(at: 14) == "cover")
}

@Test func `an old photo does not go before one that is more urgent still`() {
  var line = line()
  line.add("cover", priority: 0, at: 0)
  line.add("screen", priority: 5, at: 12)
  #expect(line.next(at: 12) == "screen")
}

@Test func `somebody goes on scrolling, and the cover is decoded all the same`() {
  var line = line()
  line.add("cover", priority: 0, at: 0)
  var decoded: [String?] = []
  for tick in stride(from: 0, to: 100, by: 5) {
    line.add("\(tick)", priority: 4, at: tick)
    decoded.append(line.next(at: tick))
  }
  // At 40 it counts as 4, as the one that has come at 40, and it came first.
  #expect(decoded.firstIndex(of: "cover") == 8)
}
