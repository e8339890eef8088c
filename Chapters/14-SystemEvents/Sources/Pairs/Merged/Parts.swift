/// The parts of a document that have to be drawn again.
struct Parts: OptionSet, Hashable, Sendable {
  let rawValue: UInt

  static let title = Parts(rawValue: 1 << 0)
  static let text = Parts(rawValue: 1 << 1)
  static let pictures = Parts(rawValue: 1 << 2)
}
