import Foundation

/// What `workbook-costs` compares: forms of one work, in turn, each against the first.
public let comparisons:
  [(work: String, forms: [(name: String, run: @Sendable () async throws -> Void)])] = [
    ("a photo of 2,048 × 1,536 pixels turned grey", forms(for: large)),
    ("a photo of 128 × 96 pixels turned grey", forms(for: small) + [childPerPixel(for: small)]),
  ]

private typealias Form = (name: String, run: @Sendable () async throws -> Void)

private func forms(for photo: Photo) -> [Form] {
  [
    (
      "concurrentPerform, a row an iteration",
      { @Sendable in check(Performed.Greyscale().convert(photo)) }
    ),
    (
      "concurrentMap, a chunk a core",
      { @Sendable in check(await TaskGrouped.Greyscale().convert(photo)) }
    ),
    (
      "concurrentMap, four chunks a core",
      { @Sendable in check(await TaskGrouped.Greyscale().convert(photo, inChunks: 4 * cores)) }
    ),
    ("a child a row", { @Sendable in check(await ChildPerRow.Greyscale().convert(photo)) }),
    ("one thread", { @Sendable in check(Plain.Greyscale().convert(photo)) }),
  ]
}

private func childPerPixel(for photo: Photo) -> Form {
  ("a child a pixel", { @Sendable in check(await ChildPerPixel.Greyscale().convert(photo)) })
}

/// What is compared gives something, so that no form is left out by the compiler.
private func check(_ grey: Photo) {
  precondition(grey.pixels[0] == grey.pixels[1] && grey.pixels[0] == grey.pixels[2])
}

private let large = gradient(width: 2_048, height: 1_536)
private let small = gradient(width: 128, height: 96)

private func gradient(width: Int, height: Int) -> Photo {
  let pixels = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* 31) }
  return Photo(width: width, height: height, pixels: pixels)
}

private let cores = ProcessInfo.processInfo.activeProcessorCount
