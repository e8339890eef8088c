/// What becomes of an upload.
enum UploadState: Sendable, Equatable {
  case waiting
  case sending
  case kept(Receipt)
  case failed
}
