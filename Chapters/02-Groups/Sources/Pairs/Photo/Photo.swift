/// A photo: three bytes a pixel, row by row.
struct Photo: Equatable, Sendable {
  let width: Int
  let height: Int
  let pixels: [UInt8]

  init(width: Int, height: Int, pixels: [UInt8]) {
    precondition(pixels.count == 3 * width * height, "a pixel has three bytes")
    self.width = width
    self.height = height
    self.pixels = pixels
  }

  /// A photo of rows, which are as many as it is high.
  init(width: Int, rows: [[UInt8]]) {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * width * rows.count)
    for row in rows { pixels += row }
    self.init(width: width, height: rows.count, pixels: pixels)
  }

  /// How much light is in it: the sum of its bytes.
  var light: Int { pixels.reduce(0) { $0 + Int($1) } }

  /// The bytes of a row.
  func row(_ number: Int) -> ArraySlice<UInt8> { pixels[bytes(ofRow: number)] }

  /// Where the bytes of a row are.
  func bytes(ofRow number: Int) -> Range<Int> { 3 * width * number..<3 * width * (number + 1) }
}
