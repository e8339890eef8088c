import Synchronization
import Testing
import Workbook

@testable import Limits

/// The six steps of the import, and the album that each makes.
private let steps: [(name: String, album: @Sendable ([PhotoFile]) async throws -> Album)] = [
  ("one thread", { Plain.Import().album(of: $0) }),
  ("units", { files in await blocking { Performed.Import().album(of: files) } }),
  (
    "an ordered group",
    { files in await result { Queued.Import(width: 3).start(files, then: $0) } }
  ),
  ("isolation", { try await TaskGrouped.Import(width: 3).album(of: $0) }),
  ("own counts", { try await OwnCounts.Import(width: 3).album(of: $0) }),
  ("cut once too often", { try await ChildPerRow.Import().album(of: $0) }),
]

/// A photo whose bytes depend on its number.
private func photo(_ number: Int, width: Int = 9, height: Int = 7) -> PhotoFile {
  let pixels = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 * 31 + number * 97) }
  return PhotoFile(
    name: "\(number)", bytes: Photo(width: width, height: height, pixels: pixels).pixmap)
}

@Suite(.timeLimit(.minutes(30))) struct ImportTests {
  @Test(arguments: steps.map(\.name))
  func `each step makes the same bytes`(_ name: String) async throws {
    let step = try #require(steps.first { $0.name == name })
    let damaged = PhotoFile(name: "damaged", bytes: Array("P6\n2 2\n255\nno".utf8))
    let twins = [photo(1), damaged, photo(2), PhotoFile(name: "copy", bytes: photo(1).bytes)]
    let sizes = [(1, 1), (3, 2), (4, 4), (5, 13)].map { photo(3, width: $0, height: $1) }
    for files in [[], [photo(1)], twins, sizes, (0..<40).map { photo($0 % 23) }] {
      let expected = Plain.Import().album(of: files)
      for _ in 1...5 { #expect(try await step.album(files).bytes == expected.bytes) }
    }
  }

  @Test func `of files with the same bytes the first is entered, and a damaged one is named`() {
    let files = [
      photo(1), PhotoFile(name: "copy", bytes: photo(1).bytes),
      PhotoFile(name: "none", bytes: [1, 2]), photo(2),
    ]
    let album = Plain.Import().album(of: files)
    #expect(album.entries == ["1 1", "copy: imported before", "none: no photo", "2 2"])
    let counted = album.light.counts.reduce(0, +)
    // Three photos of 9 × 7 pixels.
    #expect(counted == 567)
  }

  @Test func `a preview is the mean of four by four pixels, or of as many as there are`() throws {
    let rows =
      [[UInt8]](repeating: [UInt8](repeating: 10, count: 12), count: 3)
      + [[UInt8](repeating: 50, count: 12)]
    let photo = Photo(width: 4, height: 4, pixels: rows.flatMap(\.self))
    #expect(photo.quarter == Photo(width: 1, height: 1, pixels: [20, 20, 20]))
    let small = Photo(width: 2, height: 1, pixels: [10, 20, 30, 30, 40, 50])
    #expect(small.quarter == Photo(width: 1, height: 1, pixels: [20, 30, 40]))
  }

  @Test func `a pixmap is read as it is written, and nothing else is`() {
    let photo = Photo(width: 2, height: 1, pixels: [10, 32, 0, 255, 80, 54])
    #expect(Photo(pixmap: photo.pixmap) == photo)
    #expect(Photo(pixmap: photo.pixmap + [0]) == nil)
    #expect(Photo(pixmap: Array("P6\n9223372036854775807 3\n255\n".utf8)) == nil)
    #expect(Photo(pixmap: []) == nil)
  }

  // MARK: A bounded group

  @Test func `results are taken in order, in whatever order children end`() async throws {
    let gate = Gate()
    let taken = Box<[Int]>([])
    try await [0, 1, 2].forEachInOrder(width: 2) { number in
      if number == 0 { await gate.wait() } else { gate.open() }
      return number
    } then: { number in
      taken.value.append(number)
    }
    #expect(taken.value == [0, 1, 2])
  }

  @Test func `an error ends it, and the other children are cancelled and have ended`() async {
    struct Damaged: Error {}
    let (cancelled, isWaiting) = (Gate(), Gate())
    let hasEnded = Mutex(false)
    await #expect(throws: Damaged.self) {
      try await [0, 1, 2, 3].forEachInOrder(width: 2) { number in
        if number == 1 {
          await isWaiting.wait()
          throw Damaged()
        }
        #expect(number == 0)
        await withTaskCancellationHandler {
          isWaiting.open()
          await cancelled.wait()
        } onCancel: {
          cancelled.open()
        }
        hasEnded.withLock { $0 = true }
      } then: { _ in
      }
    }
    #expect(hasEnded.withLock { $0 })
  }

  @Test func `one that is cancelled adds no further child`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await [0].forEachInOrder(width: 1) {
        Issue.record("child \($0) was added")
      } then: { _ in
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}

/// What one task changes at a time.
private final class Box<Value> {
  var value: Value

  init(_ value: Value) { self.value = value }
}
