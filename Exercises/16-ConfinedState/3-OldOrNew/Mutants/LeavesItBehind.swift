// Looks right: the file itself is never touched before it is whole. Wrong: what was begun stays beside it.

extension AlbumFile {
  // region save
  /// Replaces the file, whole or not at all.
  func save(_ bytes: [UInt8]) throws {
    try disk.create("album.new")
    try disk.copyMode(of: "album", to: "album.new")
    try disk.write(bytes, to: "album.new")
    try disk.sync("album.new")
    try disk.rename("album.new", to: "album")
    try disk.syncFolder()
  }
  // endregion
}
