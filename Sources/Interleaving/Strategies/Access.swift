/// A step's use of something that other strands may use.
package struct Access: Hashable, Sendable {
  package enum Mode: Sendable {
    case read, post, enter, write
  }

  package let object: ObjectID
  package let mode: Mode

  package init(_ mode: Mode, _ object: ObjectID) {
    self.object = object
    self.mode = mode
  }

  /// Whether the order of two uses of one object matters; two of one kind commute, unless they write.
  package static func conflict(_ first: Mode, _ second: Mode) -> Bool {
    first != second || first == .write
  }
}

extension [Access] {
  /// Whether the order of two steps with these accesses matters.
  func conflict(with other: [Access]) -> Bool {
    contains { mine in
      other.contains { $0.object == mine.object && Access.conflict($0.mode, mine.mode) }
    }
  }
}
