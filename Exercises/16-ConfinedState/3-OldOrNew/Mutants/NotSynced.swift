// Looks right: a rename is one step. Wrong: the name may be on the disk before the bytes.

extension AlbumFile {
  // region save
  /// Replaces the file, whole or not at all.
  func save(_ bytes: [UInt8]) throws {
    do {
      try disk.create("album.new")
      try disk.copyMode(of: "album", to: "album.new")
      try disk.write(bytes, to: "album.new")
      try disk.rename("album.new", to: "album")
    } catch {
      try? disk.remove("album.new")
      throw error
    }
    try disk.syncFolder()
  }
  // endregion
}
