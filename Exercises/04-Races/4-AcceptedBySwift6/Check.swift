import ExerciseChecking
import Testing

@testable import Answer

/// Keeps one photo under each number: the last that was written there.
private actor Folder {
  private(set) var photos: [Int: String] = [:]
  private(set) var copies = 0

  func write(_ photo: String, under number: Int) {
    photos[number] = photo
    copies += 1
  }
}

/// How many photos an import says it has copied, how many copies it made, and what is in the folder then.
@Sendable private func folder(after first: [String], and second: [String]) async -> String {
  let folder = Folder()
  let copied = await importPhotos(from: first, and: second) { await folder.write($0, under: $1) }
  let photos = await folder.photos
  let numbers = photos.keys.sorted().map { "\($0)" }.joined(separator: " ")
  return "\(copied) copied by \(await folder.copies) copies; under \(numbers): "
    + photos.values.sorted().joined(separator: " ")
}

@Test func `no photo is written over another`() async {
  await everyOrder(gives: "2 copied by 2 copies; under 1 2: beach dog") {
    await folder(after: ["beach"], and: ["dog"])
  }
}

@Test func `three photos get the numbers 1, 2 and 3`() async {
  await everyOrder(gives: "3 copied by 3 copies; under 1 2 3: beach boat dog") {
    await folder(after: ["beach", "boat"], and: ["dog"])
  }
}

@Test func `so it is when one card has more than the other, or nothing`() async {
  await everyOrder(gives: "4 copied by 4 copies; under 1 2 3 4: ant bee cow dog") {
    await folder(after: ["ant"], and: ["bee", "cow", "dog"])
  }
  await everyOrder(gives: "3 copied by 3 copies; under 1 2 3: bee cow dog") {
    await folder(after: [], and: ["bee", "cow", "dog"])
  }
  await everyOrder(gives: "2 copied by 2 copies; under 1 2: bee cow") {
    await folder(after: ["bee", "cow"], and: [])
  }
  await everyOrder(gives: "0 copied by 0 copies; under : ") { await folder(after: [], and: []) }
}

@Test func `photos of one name are copied each`() async {
  await everyOrder(gives: "3 copied by 3 copies; under 1 2 3: dog dog dog") {
    await folder(after: ["dog", "dog"], and: ["dog"])
  }
}

@Test func `a second import begins with 1 again`() async {
  await everyOrder(gives: "2 copied by 2 copies; under 1 2: beach dog") {
    _ = await folder(after: ["ant"], and: ["bee"])
    return await folder(after: ["beach"], and: ["dog"])
  }
}

@Test func `both cards are copied at the same time`() async {
  await everyOrderEnds {
    let (untilBeach, beachBegins) = AsyncStream.makeStream(of: Void.self)
    let (untilDog, dogBegins) = AsyncStream.makeStream(of: Void.self)
    _ = await importPhotos(from: ["beach"], and: ["dog"]) { photo, _ in
      (photo == "beach" ? beachBegins : dogBegins).finish()
      for await _ in photo == "beach" ? untilDog : untilBeach {}
    }
  }
}
