// Looks right: the bytes are on the disk, and the file has its name. Wrong: the name may not be on the disk when it
// returns.

extension AlbumFile {
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
  }
  // endregion
}
