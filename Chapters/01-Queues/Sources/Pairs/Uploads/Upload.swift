/// A file to upload.
struct Upload: Sendable {
  let name: String
  let isUrgent: Bool

  init(_ name: String, isUrgent: Bool = false) {
    self.name = name
    self.isUrgent = isUrgent
  }
}
