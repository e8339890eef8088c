extension Photo {
  /// Reads a portable pixmap of the kind P6, without comments; nil if it is none.
  init?(pixmap: [UInt8]) {
    let parts = pixmap.split(maxSplits: 4, omittingEmptySubsequences: false) {
      $0 == 10 || $0 == 32
    }
    let header = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 5, header[0] == "P6", let width = Int(header[1]),
      let height = Int(header[2]), header[3] == "255", width > 0, height > 0,
      parts[4].count == 3 * width * height
    else { return nil }
    self.init(width: width, height: height, pixels: Array(parts[4]))
  }

  /// The photo as a portable pixmap.
  var pixmap: [UInt8] { Array("P6\n\(width) \(height)\n255\n".utf8) + pixels }
}
