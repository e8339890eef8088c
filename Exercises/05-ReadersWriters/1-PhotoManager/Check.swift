import ControlledDispatch
import Interleaving
import InterleavingTesting
import Testing

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

private let nothing = Summary(count: 0, bytes: 0)
private let oneCat = Summary(count: 1, bytes: 200)
private let both = Summary(count: 2, bytes: 500)

/// Checks the outcome under every order, but for orders that come to the same.
private func expect<Outcome: Hashable & Sendable>(
  _ right: [Outcome], of scenario: @escaping @Sendable () -> Outcome
) async {
  let exploration = await explore(
    .reduced(assuming: .controlledSharing), stopsAtFailure: true, steps: 300,
    allowing: right.contains
  ) {
    scenario()
  }
  exploration.expectNoFailures()
}

@Test func `two photos that are added at once are both there`() async {
  await expect([both]) {
    let manager: any Photos = PhotoManager()
    strands({ manager.add(cat) }, { manager.add(dog) })
    return manager.summary
  }
}

@Test func `a photo that two threads add at once is there once`() async {
  await expect([oneCat]) {
    let manager: any Photos = PhotoManager()
    strands({ manager.add(cat) }, { manager.add(cat) })
    return manager.summary
  }
}

@Test func `a summary counts a photo with its bytes, or not at all`() async {
  await expect([nothing, oneCat, both]) {
    let manager: any Photos = PhotoManager()
    let seen = Shared(nothing, "seen")
    strands(
      {
        manager.add(cat)
        manager.add(dog)
      }, { seen.value = manager.summary })
    return seen.value
  }
}

@Test func `a search finds what was there before a photo was added, or after`() async {
  await expect([[cat], [cat, dog]]) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let found = Shared([Photo](), "found")
    strands({ manager.add(dog) }, { found.value = manager.photos { $0.bytes > 100 } })
    return found.value
  }
}

@Test func `what a thread has added it finds, in order, and counts`() async {
  await expect([[[cat, dog], [dog]]]) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    manager.add(dog)
    return [manager.photos { _ in true }, manager.photos { $0.bytes > 200 }]
  }
  // Two photos of one name are two.
  let all = Summary(count: 3, bytes: 600)
  await expect([[nothing, oneCat, both, both, all]]) {
    let manager: any Photos = PhotoManager()
    return [nil, cat, dog, cat, Photo(name: "cat", bytes: 100)].map { photo in
      if let photo { manager.add(photo) }
      return manager.summary
    }
  }
}

@Test func `two searches can be under way at once`() async {
  await expect([[[cat], [cat]]]) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let found = [Shared([Photo](), "found by A"), Shared([Photo](), "found by B")]
    let hasBegun = [DispatchSemaphore(value: 0), DispatchSemaphore(value: 0)]
    strands(
      [0, 1].map { number in
        {
          found[number].value = manager.photos { _ in
            hasBegun[number].signal()
            hasBegun[1 - number].wait()
            return true
          }
        }
      })
    return found.map(\.value)
  }
}

@Test func `so can a summary while a search is`() async {
  await expect([oneCat]) {
    let manager: any Photos = PhotoManager()
    manager.add(cat)
    let seen = Shared(nothing, "seen")
    let isCounted = DispatchSemaphore(value: 0)
    strands(
      {
        _ = manager.photos { _ in
          isCounted.wait()
          return true
        }
      },
      {
        seen.value = manager.summary
        isCounted.signal()
      })
    return seen.value
  }
}
