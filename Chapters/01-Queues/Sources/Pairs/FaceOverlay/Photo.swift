/// A small grey photo: rows of brightness, 0 to 255.
struct Photo: Sendable, Equatable {
  let rows: [[UInt8]]

  init(rows: [[UInt8]]) {
    self.rows = rows
  }

  /// A photo drawn in text: `#` is bright, everything else dark.
  init(_ drawing: String) {
    rows = drawing.split(separator: "\n").map { line in line.map { $0 == "#" ? 255 : 0 } }
  }
}

/// Where a face is in a photo, in pixels.
struct Face: Sendable, Equatable {
  let x: Int
  let y: Int
  let width: Int
  let height: Int
}

extension Photo {
  /// The bright regions of the photo, top to bottom: what stands in for faces here.
  ///
  /// - Complexity: O(*n*) in the number of pixels.
  func faces() -> [Face] {
    var isSeen = rows.map { $0.map { $0 < 128 } }
    var faces: [Face] = []
    for y in rows.indices {
      for x in rows[y].indices where !isSeen[y][x] {
        var (left, right, bottom) = (x, x, y)
        var toVisit = [(x, y)]
        while let (x, y) = toVisit.popLast() {
          guard rows.indices.contains(y), rows[y].indices.contains(x), !isSeen[y][x] else {
            continue
          }
          isSeen[y][x] = true
          (left, right, bottom) = (min(left, x), max(right, x), max(bottom, y))
          toVisit += [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        }
        faces.append(Face(x: left, y: y, width: right - left + 1, height: bottom - y + 1))
      }
    }
    return faces
  }
}

extension Photo {
  static let twoFaces = Photo(
    """
    ..........
    .##....##.
    .##....##.
    ..........
    """)
  static let oneFace = Photo(
    """
    ....
    .##.
    .##.
    ....
    """)
}
