import Interleaving
import InterleavingTesting
import Testing

/// Keeps one photo under each number: the last that was written there.
private actor Folder {
  private(set) var photos: [Int: String] = [:]
  private var newest = "none"

  func write(_ photo: String, under number: Int) {
    photos[number] = photo
    newest = "\(photo) under \(number)"
  }
}

private struct Import: Hashable {
  let copied: Int
  let numbers: [Int]
  let photos: [String]
}

/// How many photos an import says it has copied, and what is in the folder then.
@Sendable private func result(from first: [String], and second: [String]) async -> Import {
  let folder = Folder()
  let copied = await importPhotos(from: first, and: second) { await folder.write($0, under: $1) }
  let photos = await folder.photos
  return Import(
    copied: copied, numbers: photos.keys.sorted(), photos: photos.values.sorted())
}

@Test func `no photo is written over another`() async {
  let right = Import(copied: 2, numbers: [1, 2], photos: ["beach", "dog"])
  let exploration = await explore(stopsAtFailure: true, allowing: [right].contains) {
    await result(from: ["beach"], and: ["dog"])
  }
  exploration.expectNoFailures()
}

@Test func `three photos get the numbers 1, 2 and 3`() async {
  let exploration = await explore(stopsAtFailure: true, allowing: [[1, 2, 3]].contains) {
    await result(from: ["beach", "boat"], and: ["dog"]).numbers
  }
  exploration.expectNoFailures()
}

@Test func `both cards are copied at the same time`() async {
  let exploration = await explore {
    let (untilBeach, beachBegins) = AsyncStream.makeStream(of: Void.self)
    let (untilDog, dogBegins) = AsyncStream.makeStream(of: Void.self)
    _ = await importPhotos(from: ["beach"], and: ["dog"]) { photo, _ in
      (photo == "beach" ? beachBegins : dogBegins).finish()
      for await _ in photo == "beach" ? untilDog : untilBeach {}
    }
  }
  exploration.expectNoFailures()
}
