import Dispatch
import Testing
import Workbook

@testable import Queues

@Suite struct FaceOverlayTests {
  @Test func `the faces are the bright regions, top to bottom`() {
    let photo = Photo(
      """
      .##....
      .##.#..
      ....##.
      """)
    #expect(
      photo.faces() == [
        Face(x: 1, y: 0, width: 2, height: 2), Face(x: 4, y: 1, width: 2, height: 2),
      ])
    #expect(Photo("...").faces().isEmpty)
  }

  @Test func `a queue searches elsewhere and comes back to the main queue`() async {
    let overlay = Queued.FaceOverlay()
    let searched = Transcript()
    let shown = await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        overlay.show(.twoFaces) { photo in
          searched.say(Place.current.rawValue)
          return photo.faces()
        } completion: {
          continuation.resume(returning: (Place.current, overlay.faces))
        }
      }
    }
    #expect(searched.steps == ["elsewhere"])
    #expect(shown.0 == .mainQueue)
    #expect(shown.1 == Photo.twoFaces.faces())
  }

  @MainActor
  @Test func `an async function searches elsewhere and comes back to the main actor`() async {
    let overlay = Awaited.FaceOverlay()
    let searched = Transcript()
    await overlay.show(.twoFaces) { photo in
      searched.say(Place.current.rawValue)
      return photo.faces()
    }
    #expect(searched.steps == ["elsewhere"])
    #expect(Place.current == .mainQueue)
    #expect(overlay.faces == Photo.twoFaces.faces())
  }

  @Test func `a photo that was left calls back, and its faces are not shown`() async {
    let overlay = Queued.LatestOverlay()
    let (isSecondShown, both) = (DispatchSemaphore(value: 0), DispatchGroup())
    let back = Transcript()
    await withCheckedContinuation { continuation in
      DispatchQueue.main.async {
        both.enter()
        overlay.show(.twoFaces) { photo in
          isSecondShown.wait()
          return photo.faces()
        } completion: {
          back.say("first, \(overlay.faces.count) shown")
          both.leave()
        }
        both.enter()
        overlay.show(.oneFace) {
          back.say("second, \(overlay.faces.count) shown")
          isSecondShown.signal()
          both.leave()
        }
        both.notify(queue: .main) { continuation.resume() }
      }
    }
    #expect(back.steps == ["second, 1 shown", "first, 1 shown"])
  }

  @MainActor
  @Test func `the search of a photo that was left is cancelled, and the last one is not`() async {
    let overlay = Tasked.LatestOverlay()
    let isLeft = DispatchSemaphore(value: 0)
    let searched = Transcript()
    overlay.show(.twoFaces) { photo in
      isLeft.wait()
      searched.say("first: \(Task.isCancelled)")
      return photo.faces()
    }
    let first = overlay.search
    overlay.show(.oneFace) { photo in
      searched.say("second: \(Task.isCancelled)")
      return photo.faces()
    }
    isLeft.signal()
    await overlay.search?.value
    await first?.value
    #expect(Set(searched.steps) == ["first: true", "second: false"])
    #expect(overlay.faces == Photo.oneFace.faces())
  }
}
