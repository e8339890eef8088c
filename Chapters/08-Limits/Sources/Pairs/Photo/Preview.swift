/// A file to import: a name, and what is in it.
struct PhotoFile: Equatable, Sendable {
  let name: String
  let bytes: [UInt8]
}

/// What is made of a file without a look at any other.
struct Preview: Equatable, Sendable {
  let name: String
  /// A quarter of the photo's width and height; nil if the file holds no photo.
  let photo: Photo?
  /// A number that files with the same bytes have in common.
  let fingerprint: UInt64
}

extension PhotoFile {
  /// Makes the preview.
  ///
  /// - Parameter count: Is given each row, whose light it counts.
  func preview(counting count: (_ row: ArraySlice<UInt8>) -> Void) -> Preview {
    let photo = Photo(pixmap: bytes)
    if let photo { for row in 0..<photo.height { count(photo.row(row)) } }
    return Preview(name: name, photo: photo?.quarter, fingerprint: fingerprint)
  }

  /// FNV-1a, of 64 bits.
  var fingerprint: UInt64 {
    bytes.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

extension Photo {
  /// The photo in a quarter of its width and height, at least one pixel each.
  var quarter: Photo {
    let (width, height) = (max(1, width / 4), max(1, height / 4))
    return Photo(width: width, height: height, pixels: (0..<height).flatMap(rowOfQuarter))
  }

  /// A row of that: each byte is the mean of up to 16.
  func rowOfQuarter(_ number: Int) -> [UInt8] {
    let rows = 4 * number..<min(4 * number + 4, height)
    return (0..<max(1, width / 4)).flatMap { column in
      let columns = 4 * column..<min(4 * column + 4, width)
      return (0..<3).map { colour in
        var sum = 0
        for row in rows {
          for column in columns { sum += Int(pixels[3 * (row * width + column) + colour]) }
        }
        return UInt8(sum / (rows.count * columns.count))
      }
    }
  }
}
