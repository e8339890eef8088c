extension Plain {
  struct Import: Sendable {
    func album(of files: [PhotoFile]) -> Album {
      var (album, light) = (Album(), Light())
      for file in files { album.enter(file.preview { light.add($0) }) }
      album.light = light
      return album
    }
  }
}
