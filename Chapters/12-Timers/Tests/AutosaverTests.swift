import ChapterTesting
import Dispatch
import Synchronization
import Testing
import Workbook

@testable import Timers

@Suite(.timeLimit(.minutes(30))) struct AutosaverTests {
  struct DiskFull: Error, Equatable {}

  /// A disk that is full until it is told otherwise.
  final class Disk: Sendable {
    let texts = Notes<String>()
    let attempts = Notes<String>()
    private let isFull: Atomic<Bool>

    init(isFull: Bool = false) { self.isFull = Atomic(isFull) }

    func makeRoom() { isFull.store(false, ordering: .sequentiallyConsistent) }

    @Sendable func write(_ version: Document.Version) throws {
      attempts.note(version.text)
      if isFull.load(ordering: .sequentiallyConsistent) { throw DiskFull() }
      texts.note(version.text)
    }
  }

  @Test(arguments: SaverForm.all)
  func `what has changed is saved, once`(_ form: SaverForm) async throws {
    let (document, disk) = (Document(), Disk())
    let saver = try form.begin(document, .milliseconds(1), disk.write) { _ in }
    document.edit("a")
    await disk.texts.wait(for: 1)
    document.edit("a")
    await disk.texts.wait(for: 2)
    try await saver.close()
    #expect(disk.texts.values == ["a", "a"])
  }

  @Test(arguments: SaverForm.all)
  func `a document that is as it was is not written`(_ form: SaverForm) async throws {
    let disk = Disk()
    let saver = try form.begin(Document(), .hour, disk.write) { _ in }
    try await saver.close()
    #expect(disk.attempts.values == [])
  }

  @Test(arguments: SaverForm.all)
  func `a change is saved by the close at the latest`(_ form: SaverForm) async throws {
    let (document, disk) = (Document(), Disk())
    let saver = try form.begin(document, .hour, disk.write) { _ in }
    document.edit("a")
    try await saver.close()
    #expect(disk.texts.values == ["a"])
    document.edit("b")
    await Task.yield()
    #expect(disk.texts.values == ["a"])
  }

  @Test(arguments: SaverForm.all)
  func `a write that fails is reported, and made again with the next tick`(
    _ form: SaverForm
  ) async throws {
    let (document, disk, errors) = (Document(), Disk(isFull: true), Notes<any Error>())
    document.edit("a")
    let saver = try form.begin(document, .milliseconds(1), disk.write, errors.note)
    await errors.wait(for: 2)
    disk.makeRoom()
    await disk.texts.wait(for: 1)
    try await saver.close()
    #expect(disk.texts.values == ["a"])
    #expect(errors.values.allSatisfy { $0 is DiskFull })
  }

  @Test(arguments: SaverForm.all)
  func `a close throws what its write throws`(_ form: SaverForm) async throws {
    let (document, disk) = (Document(), Disk(isFull: true))
    let saver = try form.begin(document, .hour, disk.write) { _ in }
    document.edit("a")
    await #expect(throws: DiskFull()) { try await saver.close() }
    #expect(disk.texts.values == [])
    // A close that has failed can be tried again.
    await #expect(throws: DiskFull()) { try await saver.close() }
    disk.makeRoom()
    try await saver.close()
    #expect(disk.texts.values == ["a"])
  }

  @Test(arguments: SaverForm.all)
  func `nothing is written in a pause, and what waits is written behind it`(
    _ form: SaverForm
  ) async throws {
    for _ in 0..<5 {
      let (document, disk) = (Document(), Disk())
      let saver = try form.begin(document, .milliseconds(1), disk.write) { _ in }
      document.edit("a")
      await disk.texts.wait(for: 1)
      await saver.pause()
      document.edit("b")
      try await Self.passTicks(of: form)
      #expect(disk.attempts.values == ["a"])
      await saver.resume()
      await disk.texts.wait(for: 2)
      // Twice paused is once paused, and a pause may come right behind a resumption.
      await saver.pause()
      await saver.pause()
      await saver.resume()
      document.edit("c")
      await disk.texts.wait(for: 3)
      try await saver.close()
      #expect(disk.attempts.values == ["a", "b", "c"])
    }
  }

  /// As long as another one of the same form takes for four ticks.
  private static func passTicks(of form: SaverForm) async throws {
    let (document, disk) = (Document(), Disk())
    let saver = try form.begin(document, .milliseconds(1), disk.write) { _ in }
    for count in 1...4 {
      document.edit("")
      await disk.texts.wait(for: count)
    }
    try await saver.close()
  }

  @Test(arguments: SaverForm.all)
  func `a document that is closed in a pause is saved`(_ form: SaverForm) async throws {
    let (document, disk) = (Document(), Disk())
    let saver = try form.begin(document, .milliseconds(1), disk.write) { _ in }
    await saver.pause()
    document.edit("a")
    try await saver.close()
    #expect(disk.texts.values == ["a"])
  }

  @Test(.explored) func `a loop writes nothing in a pause, under every schedule`() async {
    let exploration = await exploreAsIfWorkTookNoTime {
      let (document, disk) = (Document(), Disk())
      let saver = Clocked.Autosaver(document, write: disk.write) { _ in }
      let loop = Task { try await saver.run(every: .seconds(1)) }
      try await Task.sleep(for: .seconds(1.5))
      await saver.pause()
      document.edit("a")
      try await Task.sleep(for: .seconds(5))
      let paused = disk.texts.values.count
      await saver.resume()
      try await Task.sleep(for: .seconds(1))
      let resumed = disk.texts.values.count
      loop.cancel()
      try await loop.value
      return "\(paused), \(resumed)"
    }
    #expect(exploration.isComplete && exploration.failures.isEmpty, "\(exploration)")
    #expect(Set(exploration.outcomes.keys) == ["0, 1"], "\(exploration)")
  }

  @Test func `a cancel does not give up a write that is under way`() async throws {
    let (document, texts, errors) = (Document("a"), Notes<String>(), Notes<any Error>())
    let (hasBegun, mayEnd) = (Gate(), Gate())
    let saver = Clocked.Autosaver(document) { version in
      hasBegun.open()
      await mayEnd.wait()
      try Task.checkCancellation()
      texts.note(version.text)
    } report: {
      errors.note($0)
    }
    let loop = Task { try await saver.run(every: .hour, on: VirtualClock()) }
    await hasBegun.wait()
    loop.cancel()
    mayEnd.open()
    try await loop.value
    #expect(texts.values == ["a"])
    #expect(errors.values.isEmpty)
  }

  @Test func `the clock learns how late a save may be`() async throws {
    let clock = LateClock()
    let saver = Clocked.Autosaver(Document("a")) { _ in
      withUnsafeCurrentTask { $0?.cancel() }
    } report: { _ in
    }
    let loop = Task {
      try await saver.run(every: .seconds(60), tolerance: .seconds(5), on: clock)
    }
    await clock.tolerances.wait(for: 2)
    loop.cancel()
    try await loop.value
    #expect(clock.tolerances.values.allSatisfy { $0 == .seconds(5) })
  }

  @Test func `a write that closes or pauses its autosaver ends the process`() async {
    await #expect(processExitsWith: .failure) { try await Self.write { try $0.close() } }
    await #expect(processExitsWith: .failure) { try await Self.write { $0.pause() } }
  }

  private static func write(_ deed: @escaping @Sendable (Sourced.Autosaver) throws -> Void)
    async throws
  {
    let savers = Mutex<Sourced.Autosaver?>(nil)
    let (isMade, hasReturned) = (DispatchSemaphore(value: 0), Gate())
    let saver = try Sourced.Autosaver(Document("a"), every: .hour) { _ in
      isMade.wait()
      try savers.withLock { $0 }.map(deed)
      hasReturned.open()
    } report: { _ in
    }
    savers.withLock { $0 = saver }
    isMade.signal()
    await hasReturned.wait()
  }

  @Test func `a second close of the source's side writes nothing`() throws {
    let (document, disk) = (Document(), Disk())
    let saver = try Sourced.Autosaver(document, every: .hour, write: disk.write) { _ in }
    try saver.close()
    document.edit("a")
    try saver.close()
    #expect(disk.attempts.values == [])
  }
}
