// Looks right: the old file makes room for the new one. Wrong: in between there is none.

extension AlbumFile {
  // region save
  /// Replaces the file, whole or not at all.
  func save(_ bytes: [UInt8]) throws {
    do {
      try disk.create("album.new")
      try disk.copyMode(of: "album", to: "album.new")
      try disk.write(bytes, to: "album.new")
      try disk.sync("album.new")
      try disk.remove("album")
      try disk.rename("album.new", to: "album")
    } catch {
      try? disk.remove("album.new")
      throw error
    }
    try disk.syncFolder()
  }
  // endregion
}
