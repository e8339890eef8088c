extension Plain {
  struct Greyscale: Sendable {
    func convert(_ photo: Photo) -> Photo {
      let rows = (0..<photo.height).map { photo.grey(row: $0) }
      return Photo(width: photo.width, rows: rows)
    }
  }
}
