import Foundation

/// Bytes that are no picture.
struct NoPicture: Error, Equatable {}

extension Picture {
  /// Decodes a portable pixmap of the kind P6, without comments.
  ///
  /// - Throws: ``NoPicture`` if it is none, or not whole.
  init(decoding data: Data) throws {
    let parts = data.split(maxSplits: 4, omittingEmptySubsequences: false) { $0 == 10 || $0 == 32 }
    let header = parts.prefix(4).map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 5, header[0] == "P6", header[3] == "255", let width = Int(header[1]),
      let height = Int(header[2]), (1...65_535).contains(width), (1...65_535).contains(height),
      parts[4].count == 3 * width * height
    else { throw NoPicture() }
    self.init(width: width, height: height, pixels: Array(parts[4]))
  }

  /// The picture as a portable pixmap.
  var pixmap: Data { Data("P6\n\(width) \(height)\n255\n".utf8) + pixels }
}
