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
  }

  @Test(arguments: SaverForm.all)
  func `nothing is written in a pause, and what waits is written behind it`(
    _ form: SaverForm
  ) async throws {
    for _ in 0..<20 {
      let (document, disk) = (Document(), Disk())
      let saver = try form.begin(document, .milliseconds(1), disk.write) { _ in }
      document.edit("a")
      await disk.texts.wait(for: 1)
      await saver.pause()
      document.edit("b")
      await Task.yield()
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

  @Test(arguments: SaverForm.all)
  func `a document that is closed in a pause is saved`(_ form: SaverForm) async throws {
    let (document, disk) = (Document(), Disk())
    let saver = try form.begin(document, .milliseconds(1), disk.write) { _ in }
    await saver.pause()
    document.edit("a")
    try await saver.close()
    #expect(disk.texts.values == ["a"])
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
