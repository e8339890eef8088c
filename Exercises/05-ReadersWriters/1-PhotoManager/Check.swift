import ControlledDispatch
import ExerciseChecking
import Interleaving
import Testing

@testable import Answer

/// What the check uses.
private protocol Photos: Sendable {
  init()
  func add(_ photo: Photo)
  var summary: Summary { get }
  func photos(where isWanted: (Photo) -> Bool) -> [Photo]
}

extension PhotoManager: Photos {}

private let cat = Photo(name: "cat", bytes: 200)
private let dog = Photo(name: "dog", bytes: 300)

/// A summary in words.
private func text(_ summary: Summary) -> String { "\(summary.count) of \(summary.bytes) bytes" }

/// What a search has found, in words.
private func names(_ photos: [Photo]) -> String {
  photos.isEmpty ? "nothing" : photos.map(\.name).joined(separator: " ")
}

private let nothing = "0 of 0 bytes"
private let oneCat = "1 of 200 bytes"
private let both = "2 of 500 bytes"

@Test func `two photos that are added at once are both there`() async {
  await everyOrder(gives: both) {
    let manager: any Photos = PhotoManager()
    strands({ manager.add(cat) }, { manager.add(dog) })
    return text(manager.summary)
  }
}

@Test func `a photo that two threads add at once is there once`() async {
  await everyOrder(gives: oneCat) {
    let manager: any Photos = PhotoManager()
    strands({ manager.add(cat) }, { manager.add(cat) })
    return text(manager.summary)
  }
}

@Test func `a summary counts a photo with its bytes, or not at all`() async {
  await everyOrder(gives: nothing, oneCat, both) {
    let manager: any Photos = PhotoManager()
    let seen = Shared("", "seen")
    strands(
      {
        manager.add(cat)
        manager.add(dog)
      }, { seen.value = text(manager.summary) })
    return seen.value
  }
}

@Test func `a search finds what was there before a photo was added, or after`() async {
  await everyOrder(gives: "cat", "cat dog") {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let found = Shared("", "found")
    strands(
      { manager.add(dog) }, { found.value = names(manager.photos { $0.bytes > 100 }) })
    return found.value
  }
}

@Test func `what a thread has added it finds, in order, and counts`() async {
  await everyOrder(gives: "cat dog, and of more than 200 bytes: dog") {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    manager.add(dog)
    return "\(names(manager.photos { _ in true })), and of more than 200 bytes: "
      + names(manager.photos { $0.bytes > 200 })
  }
  // A photo is another one if its name or its bytes are.
  let third = "3 of 600 bytes"
  let fourth = "4 of 601 bytes"
  let fifth = "5 of 612 bytes"
  await everyOrder(
    gives: [nothing, oneCat, both, both, third, fourth, fifth].joined(separator: ", ")
  ) {
    let manager: any Photos = PhotoManager()
    var texts = [text(manager.summary)]
    let others = [("cat", 100), ("cat1", 1), ("cat", 11)].map { Photo(name: $0, bytes: $1) }
    for photo in [cat, dog, cat] + others {
      manager.add(photo)
      texts.append(text(manager.summary))
    }
    return texts.joined(separator: ", ")
  }
}

@Test func `what a thread has added, a thread that it tells of it finds`() async {
  await everyOrder(gives: "cat, 1 of 200 bytes") {
    let manager: any Photos = PhotoManager()
    let found = Shared("", "found")
    let isAdded = DispatchSemaphore(value: 0)
    strands(
      {
        manager.add(cat)
        isAdded.signal()
      },
      {
        isAdded.wait()
        found.value = "\(names(manager.photos { _ in true })), \(text(manager.summary))"
      })
    return found.value
  }
}

@Test func `two searches can be under way at once`() async {
  await everyOrder(gives: "cat and cat") {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let found = [Shared("", "found by A"), Shared("", "found by B")]
    let hasBegun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    strands(
      [0, 1].map { number in
        {
          found[number].value = names(
            manager.photos { _ in
              hasBegun[number].signal()
              hasBegun[1 - number].wait()
              return true
            })
        }
      })
    return found.map(\.value).joined(separator: " and ")
  }
}

@Test func `so can two with no change between them, also when a change was under way`() async {
  await everyOrder(gives: "beside each other", time: .passesWhenIdle) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let start = ContinuousClock.now
    let found = [Shared("", "found by A"), Shared("", "found by B")]
    let searches = [0, 1].map { number in
      { @Sendable in
        var isFirst = true
        found[number].value = names(
          manager.photos { _ in
            if isFirst { Thread.sleep(forTimeInterval: 10) }
            isFirst = false
            return true
          })
      }
    }
    strands([{ manager.add(dog) }] + searches)
    // What they find tells on which side of the change each one was.
    let areApart = ContinuousClock.now - start > .seconds(15)
    return areApart && found[0].value == found[1].value
      ? "one after the other, though both found \(found[0].value)" : "beside each other"
  }
}

@Test func `so can ten`() async {
  await everyOrder(gives: "ten", within: .upTo(classes: 5, preempted: 5, drawn: 5), steps: 2_000) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let count = Mutex(0)
    let allHaveBegun = DispatchSemaphore(value: 0)
    strands(
      (1...10).map { _ in
        {
          _ = manager.photos { _ in
            let isLast = count.withLock { count in
              count += 1
              return count == 10
            }
            if isLast { for _ in 1...10 { allHaveBegun.signal() } }
            allHaveBegun.wait()
            return true
          }
        }
      })
    return "ten"
  }
}

@Test func `so can a summary while a search is`() async {
  await everyOrder(gives: oneCat) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let seen = Shared("", "seen")
    let isCounted = DispatchSemaphore(value: 0)
    strands(
      {
        _ = manager.photos { _ in
          isCounted.wait()
          return true
        }
      },
      {
        seen.value = text(manager.summary)
        isCounted.signal()
      })
    return seen.value
  }
}
