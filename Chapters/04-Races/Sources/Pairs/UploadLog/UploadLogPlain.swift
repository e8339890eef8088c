extension Plain {
  // Sendable is false on purpose: this races. It runs in a child process, or under the explorer, only.
  final class UploadLog: @unchecked Sendable {
    private(set) var names: [String] = []

    func append(_ name: String) {
      var longer = names
      longer.append(name)
      names = longer
    }
  }
}
