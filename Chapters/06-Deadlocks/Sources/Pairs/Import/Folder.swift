/// What is imported: a folder of photos and of further folders. A photo without a name cannot be read.
struct Folder: Sendable {
  let photos: [String]
  let folders: [Folder]

  init(_ photos: [String], folders: [Folder] = []) {
    self.photos = photos
    self.folders = folders
  }
}
