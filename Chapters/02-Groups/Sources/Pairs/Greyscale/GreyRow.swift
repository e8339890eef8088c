extension Photo {
  /// A row in grey.
  func grey(row number: Int) -> [UInt8] {
    var row = Array(row(number))
    row.withUnsafeMutableBufferPointer { Self.turnGrey($0[...]) }
    return row
  }

  /// Turns pixels grey in place: each becomes its weighted mean of red, green and blue, three times.
  static func turnGrey(_ pixels: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    for first in stride(from: pixels.startIndex, to: pixels.endIndex, by: 3) {
      let grey = Self.grey(pixels[first], pixels[first + 1], pixels[first + 2])
      pixels.base[first] = grey
      pixels.base[first + 1] = grey
      pixels.base[first + 2] = grey
    }
  }

  /// The weights are those of BT.601, in 256ths.
  static func grey(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum: Int = 77 * Int(red) + 150 * Int(green) + 29 * Int(blue)
    return UInt8(sum / 256)
  }
}
