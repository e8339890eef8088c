import Dispatch
import Testing
import Workbook

@testable import Groups

/// All forms of turning a photo grey give the same bytes.
@Suite(.timeLimit(.minutes(30))) struct GreyscaleTests {
  @Test(arguments: [(1, 1), (3, 5), (7, 1), (1, 9), (32, 24)])
  func `all forms give the same bytes`(_ width: Int, _ height: Int) async {
    let pixels = (0..<3 * width * height).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ 31 &* $0) }
    let photo = Photo(width: width, height: height, pixels: pixels)
    let grey = Plain.Greyscale().convert(photo)
    #expect(Performed.Greyscale().convert(photo) == grey)
    for chunks in [1, 2, 3, 100] {
      #expect(await TaskGrouped.Greyscale().convert(photo, inChunks: chunks) == grey)
    }
    #expect(await ChildPerRow.Greyscale().convert(photo) == grey)
    #expect(await ChildPerPixel.Greyscale().convert(photo) == grey)
  }

  @Test func `grey is the weighted mean of red, green and blue`() {
    let photo = Photo(
      width: 4, height: 1, pixels: [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255])
    let grey: [UInt8] = [76, 76, 76, 149, 149, 149, 28, 28, 28, 255, 255, 255]
    #expect(Plain.Greyscale().convert(photo).pixels == grey)
  }

  @Test(arguments: 0...6, 1...8)
  func `concurrentMap keeps the order, in however many chunks`(_ count: Int, _ chunks: Int) async {
    #expect(
      await (10..<10 + count).concurrentMap(inChunks: chunks) { $0 * $0 }
        == (10..<10 + count).map { $0 * $0 })
  }

  @Test func `a photo is read as it was written, white space in its bytes included`() {
    let photo = Photo(width: 2, height: 2, pixels: [10, 32, 10, 0, 255, 10, 32, 32, 9, 13, 1, 2])
    #expect(Photo(pixmap: photo.pixmap) == photo)
  }

  @Test(arguments: [
    "", "P6", "P5\n1 1\n255\nabc", "P6\n1 1\n255\nab", "P6\n0 1\n255\n", "P6\nx 1\n255\n",
  ])
  func `what is no photo is refused`(_ text: String) {
    #expect(Photo(pixmap: Array(text.utf8)) == nil)
  }

  @Test func `all ways to add up the light come to the same`() async {
    let photos = (1...20).map {
      Photo(width: $0, height: 2, pixels: Array(repeating: 3, count: 6 * $0))
    }
    let light = photos.reduce(0) { $0 + $1.light }
    #expect(await result { Locked.Exposure().measure(photos, on: .global(), then: $0) } == light)
    #expect(await result { Queued.Exposure().measure(photos, on: .global(), then: $0) } == light)
    #expect(await TaskGrouped.Exposure().measure(photos) == light)
  }
}
