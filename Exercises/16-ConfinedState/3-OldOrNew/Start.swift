extension AlbumFile {
  // region save
  // TODO: Leave the old bytes or the new ones, whatever happens.
  /// Replaces the file, whole or not at all.
  func save(_ bytes: [UInt8]) throws {
    try disk.create("album")
    try disk.write(bytes, to: "album")
    try disk.sync("album")
  }
  // endregion
}
