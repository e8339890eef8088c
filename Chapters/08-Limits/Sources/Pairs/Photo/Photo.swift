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

  /// Reads a portable pixmap of the kind P6, without comments; nil if it is none.
  init?(pixmap: [UInt8]) {
    let parts = pixmap.split(maxSplits: 4, omittingEmptySubsequences: false) {
      $0 == 10 || $0 == 32
    }
    let header = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 5, header[0] == "P6", let width = Int(header[1]),
      let height = Int(header[2]), header[3] == "255", width > 0, height > 0,
      width <= 65_535, height <= 65_535, parts[4].count == 3 * width * height
    else { return nil }
    self.init(width: width, height: height, pixels: Array(parts[4]))
  }

  /// The photo as a portable pixmap.
  var pixmap: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + pixels }

  /// The bytes of a row.
  func row(_ number: Int) -> ArraySlice<UInt8> {
    pixels[3 * width * number..<3 * width * (number + 1)]
  }
}
