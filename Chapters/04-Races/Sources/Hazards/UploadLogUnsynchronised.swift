// The claim of Sendable is false on purpose: this runs in a child process only.
final class UploadLogUnsynchronised: UploadLog, @unchecked Sendable {
  private(set) var names: [String] = []

  /// `names.append(name)`, with the read and the write of the variable apart.
  func append(_ name: String, beforeWriting pause: @Sendable () -> Void) {
    var longer = names
    pause()
    longer.append(name)
    names = longer
  }
}
