/// A decoded picture: three bytes a pixel, row by row.
struct Picture: Equatable, Sendable {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 3 * width * height, "a pixel has three bytes")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// What it takes in memory, in bytes.
  var cost: Int { pixels.count }
}
