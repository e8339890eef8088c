/// What is imported: a folder of photos and of further folders. A photo without a name cannot be read.
public struct Folder: Sendable {
  public let photos: [String]
  public let folders: [Folder]

  public init(_ photos: [String], folders: [Folder] = []) {
    self.photos = photos
    self.folders = folders
  }
}
