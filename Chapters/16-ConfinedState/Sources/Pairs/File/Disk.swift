/// What a save does in a folder. Each of these is one call of the system, or a few of the same.
protocol Disk: Sendable {
  /// Makes a new, empty file; one of that name goes first.
  func create(_ name: String) throws
  /// Gives a file the mode of another one, if that is there.
  func copyMode(of name: String, to other: String) throws
  func write(_ bytes: [UInt8], to name: String) throws
  /// Returns when the bytes and the mode of a file are on the disk.
  func sync(_ name: String) throws
  /// Gives a file the name of another one, which goes, in one step.
  func rename(_ name: String, to other: String) throws
  /// Returns when the names in the folder are on the disk.
  func syncFolder() throws
  /// Removes a file, if it is there.
  func remove(_ name: String) throws
  /// - Returns: The bytes of a file; nil if there is none.
  func read(_ name: String) throws -> [UInt8]?
}
