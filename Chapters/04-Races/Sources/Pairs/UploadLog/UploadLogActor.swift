extension Isolated {
  actor UploadLog {
    private(set) var names: [String] = []

    func append(_ name: String) { names.append(name) }
  }
}
