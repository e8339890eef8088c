/// A folder on a disk. It stays as it is.
protocol Disk {
  /// Makes an empty file; one of that name goes.
  func create(_ name: String) throws
  /// Gives a file the mode of another one, if that is there.
  func copyMode(of name: String, to other: String) throws
  func write(_ bytes: [UInt8], to name: String) throws
  /// Returns when the bytes and the mode of a file are on the disk.
  func sync(_ name: String) throws
  /// Gives a file the name of another one, which goes.
  func rename(_ name: String, to other: String) throws
  /// Returns when the names of all files are on the disk.
  func syncFolder() throws
  /// Removes a file, if it is there.
  func remove(_ name: String) throws
}

/// The album's file.
///
/// The check uses `init(disk:)` and `save(_:)`.
struct AlbumFile {
  let disk: any Disk

  // region save
  /// Replaces the file, whole or not at all.
  func save(_ bytes: [UInt8]) throws {
    do {
      try disk.create("album.new")
      try disk.copyMode(of: "album", to: "album.new")
      try disk.write(bytes, to: "album.new")
      try disk.sync("album.new")
      try disk.rename("album.new", to: "album")
    } catch {
      try? disk.remove("album.new")
      throw error
    }
    try disk.syncFolder()
  }
  // endregion
}
