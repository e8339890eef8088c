extension Photo {
  /// A row in grey: each pixel's weighted mean of red, green and blue, three times.
  func grey(row number: Int) -> [UInt8] {
    var row = Array(row(number))
    for first in stride(from: 0, to: row.count, by: 3) {
      let grey = Self.grey(row[first], row[first + 1], row[first + 2])
      row[first] = grey
      row[first + 1] = grey
      row[first + 2] = grey
    }
    return row
  }

  /// The weights are those of BT.601, in 256ths.
  static func grey(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    let sum: Int = 77 * Int(red) + 150 * Int(green) + 29 * Int(blue)
    return UInt8(sum / 256)
  }
}
