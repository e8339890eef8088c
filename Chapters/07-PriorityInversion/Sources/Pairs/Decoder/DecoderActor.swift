extension Isolated {
  /// Decodes in an actor: of those that wait, the task with the highest priority is served next.
  actor Decoder {
    private(set) var decoded: [String] = []

    func decode(_ photo: String, isVisible: Bool) -> String {
      decoded.append(photo)
      return "decoded \(photo)"
    }
  }
}
