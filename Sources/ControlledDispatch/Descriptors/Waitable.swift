import Foundation
import Interleaving

/// Which way bytes go through a descriptor.
enum Direction: String {
  case reading, writing
}

/// Who waits until a file can be read, or written.
struct Waiter {
  let gate: ObjectID
  let file: OpenFile
  let direction: Direction
}

/// What can be waited for: the bytes that flow one way, a counter, connections that have come, notices, or a place in a
/// file.
class Waitable {
  let object: ObjectID
  private var waiters: [Waiter] = []
  /// How often it was changed.
  private(set) var version = 0

  init(_ control: Control) { object = control.makeObject() }

  /// - Parameter object: What the exploration knows it by.
  init(_ object: ObjectID) { self.object = object }

  /// How much can be read or written; 0 if a call would not wait and would say that this is the end, or an error.
  ///
  /// - Returns: Nil if a call would wait.
  func amount(_ direction: Direction) -> Int? { nil }

  /// A use of it, as part of an operation.
  func use(_ action: Action) -> VisibleOperation.Use {
    .init(action, object, initially: .variable)
  }

  static func use(_ action: Action, of gate: ObjectID) -> VisibleOperation.Use {
    .init(action, gate, initially: .gate(closed: 1))
  }

  /// Lets a gate be opened, once, at the next change behind which a call would not wait. Part of a step that has
  /// declared that it changes this.
  func tell(_ waiter: Waiter) { waiters.append(waiter) }

  /// How it is changed is about to be chosen: it must not depend on the choice whom the step touches that has led to it.
  ///
  /// - Parameter direction: Which way those wait who may be told.
  func announceChange(for direction: Direction, _ control: Control) {
    for waiter in waiters where waiter.direction == direction {
      control.goOn(with: Self.use(.update, of: waiter.gate))
    }
  }

  /// It was changed, in the step under way.
  ///
  /// - Parameter isAnnounced: Whether how was chosen, and announced before.
  func hasChanged(_ control: Control, isAnnounced: Bool = false) {
    version += 1
    // Of a file that was closed, nobody is told any more.
    waiters.removeAll { !$0.file.isOpen }
    for waiter in waiters where amount(waiter.direction) != nil {
      control.goOn(with: Self.use(.open, of: waiter.gate), isAnnounced: isAnnounced)
    }
    waiters.removeAll { amount($0.direction) != nil }
  }
}

/// The bytes that flow one way through a pipe or between two sockets.
final class Channel: Waitable {
  private var bytes: [UInt8] = []
  /// How many of them were read.
  private var taken = 0
  private let size: Int
  /// Whether somebody could still read, and write.
  private(set) var hasReader = true
  private(set) var hasWriter = true
  /// Whether the other side has gone without reading what it was sent.
  private(set) var isReset = false

  init(size: Int, _ control: Control) {
    self.size = size
    super.init(control)
  }

  private var count: Int { bytes.count - taken }

  /// Whether nothing can be written any more.
  private var isBroken: Bool { !hasReader || !hasWriter || isReset }

  /// A write of no more than that is never partial.
  private var atomicSize: Int { max(1, size / 16) }

  override func amount(_ direction: Direction) -> Int? {
    switch direction {
    case .reading: count > 0 ? count : hasWriter && !isReset ? nil : 0
    case .writing: isBroken ? 0 : size - count >= atomicSize ? size - count : nil
    }
  }

  /// - Parameter chooses: Chooses how many of so many bytes are read.
  func read(upTo most: Int, _ control: Control, _ chooses: (Int) -> Int) -> Transfer {
    guard count > 0 else {
      if isReset { return .failed(ECONNRESET) }
      return hasWriter ? .nothing : .bytes([])
    }
    announceChange(for: .writing, control)
    let part = Array(bytes[taken...].prefix(chooses(min(most, count))))
    taken += part.count
    if taken == bytes.count { (bytes, taken) = ([], 0) }
    hasChanged(control, isAnnounced: true)
    return .bytes(part)
  }

  /// - Parameter chooses: Chooses how many of so many bytes are written.
  func write(
    _ more: UnsafeRawBufferPointer, _ control: Control, _ chooses: (Int) -> Int
  ) -> Transfer {
    guard !more.isEmpty else { return .count(0) }
    guard !isBroken else { return .brokenPipe }
    let room = size - count
    let isWhole = more.count <= atomicSize
    guard isWhole ? more.count <= room : room > 0 else { return .nothing }
    announceChange(for: .reading, control)
    let written = isWhole ? more.count : chooses(min(room, more.count))
    bytes += more.prefix(written)
    hasChanged(control, isAnnounced: true)
    return .count(written)
  }

  func endReading(_ control: Control) {
    guard hasReader else { return }
    hasReader = false
    hasChanged(control)
  }

  func endWriting(_ control: Control, isReset: Bool = false) {
    guard hasWriter || isReset else { return }
    hasWriter = false
    self.isReset = isReset
    hasChanged(control)
  }

  /// Whether it has something that nobody has read.
  var hasBytes: Bool { count > 0 }
}
