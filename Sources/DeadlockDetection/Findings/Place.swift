/// A line of the program.
public struct Place: Hashable, Sendable {
  private let start: UInt
  private let length: UInt32
  /// The number of the line.
  public let line: UInt32

  init(_ file: StaticString, _ line: UInt) {
    // A path that the compiler writes is never a single scalar.
    start = UInt(bitPattern: file.utf8Start)
    length = UInt32(truncatingIfNeeded: file.utf8CodeUnitCount)
    self.line = UInt32(truncatingIfNeeded: line)
  }

  /// The file, as `#fileID` gives it.
  public var file: String {
    // The bytes of a StaticString are constants of the program and never freed.
    String(
      decoding: UnsafeRawBufferPointer(
        start: UnsafeRawPointer(bitPattern: start), count: Int(length)), as: UTF8.self)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.line == b.line && (a.start == b.start || a.file == b.file)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(line) }
}

extension Place: CustomStringConvertible {
  public var description: String { "\(file.split(separator: "/").last ?? ""):\(line)" }
}
