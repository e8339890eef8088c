import Dispatch
import Workbook

extension Subject {
  static let greyRows = Subject(
    "grey-rows",
    asks: "Two rows are turned grey beside each other, into one image. Is it right?",
    right: .allowed("grey"), .forbidden("spoilt"),
    implementations: [
      .before("concurrentPerform, one row for all", .race) { _ in
        Unsynchronised.Greyscale().convert(twoRows) == grey ? "grey" : "spoilt"
      }
      .code("GreyscaleSharingRow.swift", "DispatchQueue.concurrentPerform")
      .notPlayed("which row is overwritten is up to the machine"),
      .before("concurrentPerform, a row each") { _ in
        Performed.Greyscale().convert(twoRows) == grey ? "grey" : "spoilt"
      }
      .code("GreyscaleConcurrentPerform.swift", "DispatchQueue.concurrentPerform"),
      .after("concurrentMap in chunks") { _ in
        await TaskGrouped.Greyscale().convert(twoRows, inChunks: 2) == grey ? "grey" : "spoilt"
      }
      .code("ConcurrentMap.swift", "let chunk"),
      .after("a child a row") { _ in
        await ChildPerRow.Greyscale().convert(twoRows) == grey ? "grey" : "spoilt"
      }
      .code("GreyscaleByRowTaskGroup.swift", "concurrentMap"),
    ])
}

private let twoRows = Photo(width: 1, height: 2, pixels: [255, 0, 0, 0, 255, 0])
private let grey = Photo(width: 1, height: 2, pixels: [76, 76, 76, 149, 149, 149])
