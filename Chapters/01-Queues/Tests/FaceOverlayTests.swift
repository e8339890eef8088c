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
}
