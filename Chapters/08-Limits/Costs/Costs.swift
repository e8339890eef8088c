import Dispatch
import Foundation
import Synchronization

/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] = [
    ("an import of 48 photos of 384 × 256 pixels", steps(of: large)),
    (
      "an import of 6,000 photos of 4 × 4 pixels, 4 at a time",
      [
        (
          "light counted under a lock",
          { @Sendable in check(try await TaskGrouped.Import(width: 4).album(of: small)) }
        ),
        (
          "light counted in copies of one's own",
          { @Sendable in check(try await OwnCounts.Import(width: 4).album(of: small)) }
        ),
        ("one thread", { @Sendable in check(Plain.Import().album(of: small)) }),
      ]
    ),
    counts(threads: 2), counts(threads: 4),
    (
      "the curve of brightness of 1,000,000 bytes",
      [
        ("computed", { @Sendable in curve { UInt8(255 * pow(Double($0) / 255, 1 / 2.2)) } }),
        ("loaded from a table", { @Sendable in curve { brighter[Int($0)] } }),
      ]
    ),
    (
      "half the brightness of 1,000,000 bytes",
      [
        ("computed", { @Sendable in curve { $0 / 2 } }),
        ("loaded from a table", { @Sendable in curve { halves[Int($0)] } }),
      ]
    ),
    (
      "40,000 thumbnails of 1 kB",
      [
        ("4 workers", { @Sendable in await thumbnails(inWorkers: 4) }),
        ("a bounded group", { @Sendable in await thumbnails(width: 4) }),
        ("all children added", { @Sendable in await thumbnails(width: 40_000) }),
      ]
    ),
  ]

private typealias Form = (name: String, run: @Sendable () async throws -> Void)

// MARK: The import

private func steps(of files: [PhotoFile]) -> [Form] {
  [
    ("one thread", { @Sendable in check(Plain.Import().album(of: files)) }),
    ("units, then what is ordered", { @Sendable in check(Performed.Import().album(of: files)) }),
    (
      "what is ordered as a group",
      { @Sendable in
        check(
          await withCheckedContinuation { continuation in
            Queued.Import(width: cores).start(files) { continuation.resume(returning: $0) }
          })
      }
    ),
    (
      "isolation: a bounded group",
      { @Sendable in check(try await TaskGrouped.Import(width: cores).album(of: files)) }
    ),
    (
      "own counts",
      { @Sendable in check(try await OwnCounts.Import(width: cores).album(of: files)) }
    ),
    ("a child a row", { @Sendable in check(try await ChildPerRow.Import().album(of: files)) }),
  ]
}

/// What is compared gives something, so that no form is left out by the compiler.
private func check(_ album: Album) { precondition(album.entries.count >= 48) }

private let large = (0..<48).map { photo($0, width: 384, height: 256) }
private let small = (0..<6_000).map { photo($0, width: 4, height: 4) }

private func photo(_ number: Int, width: Int, height: Int) -> PhotoFile {
  let pixels = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ number &* 7) }
  return PhotoFile(
    name: "\(number)", bytes: Photo(width: width, height: height, pixels: pixels).pixmap)
}

private let cores = ProcessInfo.processInfo.activeProcessorCount

// MARK: A count

private let mutex = Mutex(0)
private let lock = NSLock()
private let queue = DispatchQueue(label: "com.example.count")
private let (locked, queued) = (Number(), Number())

// Sendable because each is used under its lock, or on its queue, only.
private final class Number: @unchecked Sendable {
  var value = 0
}

private func counts(threads: Int) -> (String, [Form]) {
  (
    "a count, \(threads) threads, 5,000 additions each",
    [
      ("Mutex", { @Sendable in count(threads) { mutex.withLock { $0 += 1 } } }),
      ("NSLock", { @Sendable in count(threads) { lock.withLock { locked.value += 1 } } }),
      ("serial queue", { @Sendable in count(threads) { queue.sync { queued.value += 1 } } }),
    ]
  )
}

private func count(_ threads: Int, _ add: @escaping @Sendable () -> Void) {
  let group = DispatchGroup()
  for _ in 0..<threads {
    group.enter()
    Thread.detachNewThread {
      for _ in 0..<5_000 { add() }
      group.leave()
    }
  }
  group.wait()
}

// MARK: To compute or to load

private let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
private let brighter = (0...255).map { UInt8(255 * pow(Double($0) / 255, 1 / 2.2)) }
private let halves = (0...255).map { UInt8($0 / 2) }

private func curve(_ transform: (UInt8) -> UInt8) {
  precondition(bytes.map(transform).count == bytes.count)
}

// MARK: Children

private func thumbnail(_ number: Int) -> [UInt8] {
  [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 1_024)
}

private func thumbnails(width: Int) async {
  await withTaskGroup(of: [UInt8].self) { group in
    for number in 0..<40_000 {
      if number >= width { _ = await group.next() }
      group.addTask { thumbnail(number) }
    }
    for await _ in group {}
  }
}

private func thumbnails(inWorkers workers: Int) async {
  await withTaskGroup(of: Int.self) { group in
    for worker in 0..<workers {
      group.addTask {
        stride(from: worker, to: 40_000, by: workers).reduce(0) { $0 + thumbnail($1).count }
      }
    }
    for await _ in group {}
  }
}
