import Foundation
import Interleaving

/// What a call for bytes comes to.
enum Transfer {
  /// What was read; nothing is the end.
  case bytes([UInt8])
  /// How many bytes were written.
  case count(Int)
  /// There is nothing now: a call waits, or says so.
  case nothing
  /// An error of the system.
  case failed(Int32)
  /// What is written to something that nobody reads any more.
  case brokenPipe
}

/// What a descriptor stands for; several may stand for one.
class OpenFile {
  /// What it is called in a trace.
  let name: String
  /// Which file or folder of the disk it is; nil if none.
  let inode: Inode?
  /// Its flags.
  private let object: ObjectID
  /// What is said when it is opened: which way it goes, and that nobody waits for it.
  var flags: Int32
  /// How many descriptors stand for it.
  var descriptors = 0
  /// Whether its end has not been told to what it read from and wrote to.
  private(set) var isOpen = true

  init(_ name: String, of inode: Inode? = nil, flags: Int32, _ control: Control) {
    self.name = name
    self.inode = inode
    self.flags = flags
    object = control.makeObject()
    inode?.openFiles += 1
  }

  /// A use of its flags, as part of an operation.
  final func use(_ action: Action) -> VisibleOperation.Use {
    .init(action, object, initially: .variable)
  }

  final var waits: Bool { flags & O_NONBLOCK == 0 }

  final func goes(_ direction: Direction) -> Bool {
    let mode = flags & O_ACCMODE
    return mode == O_RDWR || mode == (direction == .reading ? O_RDONLY : O_WRONLY)
  }

  /// What of it ends, as a trace calls it.
  private final var end: String {
    switch flags & O_ACCMODE {
    case O_RDONLY: "the reading of \(name)"
    case O_WRONLY: "the writing of \(name)"
    default: name
    }
  }

  // MARK: What differs

  /// What can be waited for before it can be read or written; nil if nothing that anybody is told of.
  func waitable(_ direction: Direction) -> Waitable? { nil }

  /// What a call uses besides its flags.
  func uses(_ direction: Direction, _ kernel: KernelState) -> [VisibleOperation.Use] {
    waitable(direction).map { [$0.use(.update)] } ?? []
  }

  /// - Parameter chooses: Chooses how many of so many bytes are read.
  func read(upTo most: Int, _ kernel: KernelState, _ chooses: (Int) -> Int) -> Transfer {
    .failed(EINVAL)
  }

  /// - Parameter chooses: Chooses how many of so many bytes are written.
  func write(
    _ bytes: UnsafeRawBufferPointer, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer { .failed(EINVAL) }

  /// No descriptor stands for it any more: ends what it reads from and writes to, in the step under way.
  func endTransfers(_ control: Control) {}

  /// No descriptor stands for it any more.
  final func end(_ kernel: KernelState) {
    kernel.control.perform(
      VisibleOperation([Direction.reading, .writing].flatMap { uses($0, kernel) }), "ends \(end)")
    // Who had looked it up before may have given it a number again, and that was closed, too.
    guard isOpen else { return }
    isOpen = false
    endTransfers(kernel.control)
    guard let inode else { return }
    inode.openFiles -= 1
    kernel.endIfGone(inode)
  }
}

/// An end of a pipe, or a socket.
final class Stream: OpenFile {
  let isSocket: Bool
  private var incoming: Channel?
  private var outgoing: Channel?
  /// Of a socket that connects or listens.
  var port: UInt16?
  /// Of a socket that listens.
  var arrivals: Arrivals?
  /// Of a socket: what nobody has asked for yet of how it was connected.
  var connectionError: Int32 = 0

  init(
    _ name: String, isSocket: Bool, reads incoming: Channel?, writes outgoing: Channel?,
    _ control: Control
  ) {
    self.isSocket = isSocket
    self.incoming = incoming
    self.outgoing = outgoing
    let mode = isSocket ? O_RDWR : incoming == nil ? O_WRONLY : O_RDONLY
    super.init(name, flags: mode, control)
  }

  var isConnected: Bool { incoming != nil }

  func connect(reads incoming: Channel, writes outgoing: Channel) {
    (self.incoming, self.outgoing) = (incoming, outgoing)
  }

  override func waitable(_ direction: Direction) -> Waitable? {
    direction == .reading ? arrivals ?? incoming : outgoing
  }

  override func read(
    upTo most: Int, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    incoming?.read(upTo: most, kernel.control, chooses) ?? .failed(ENOTCONN)
  }

  override func write(
    _ bytes: UnsafeRawBufferPointer, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    outgoing?.write(bytes, kernel.control, chooses) ?? .brokenPipe
  }

  /// Ends one way or both: `shutdown` of a socket.
  func shutDown(_ directions: [Direction], _ kernel: KernelState) {
    kernel.control.perform(
      VisibleOperation(directions.flatMap { uses($0, kernel) }),
      "shuts down \(name) for " + directions.map(\.rawValue).joined(separator: " and "))
    if directions.contains(.reading) { incoming?.endReading(kernel.control) }
    if directions.contains(.writing) { outgoing?.endWriting(kernel.control) }
  }

  override func endTransfers(_ control: Control) {
    for stream in arrivals?.end() ?? [] {
      for waitable in [stream.incoming!, stream.outgoing!] {
        control.goOn(with: waitable.use(.update))
      }
      stream.endTransfers(control)
    }
    // The other side of a socket is told that what it has sent was not read.
    let isReset = isSocket && incoming?.hasBytes == true
    incoming?.endReading(control)
    outgoing?.endWriting(control, isReset: isReset)
  }
}

/// The connections that have come to a socket that listens.
final class Arrivals: Waitable {
  private var waiting: [Stream] = []
  private(set) var isOpen = true

  override func amount(_ direction: Direction) -> Int? { waiting.isEmpty ? nil : 1 }

  func add(_ stream: Stream, _ control: Control) {
    waiting.append(stream)
    hasChanged(control)
  }

  func take(_ control: Control) -> Stream? {
    guard !waiting.isEmpty else { return nil }
    defer { hasChanged(control) }
    return waiting.removeFirst()
  }

  /// - Returns: Those that nobody has taken.
  func end() -> [Stream] {
    isOpen = false
    return waiting
  }
}

/// A counter that a descriptor stands for: `eventfd`.
final class Counter: OpenFile {
  private final class Count: Waitable {
    var value: UInt64

    init(_ value: UInt64, _ control: Control) {
      self.value = value
      super.init(control)
    }

    override func amount(_ direction: Direction) -> Int? {
      direction == .reading ? (value > 0 ? 1 : nil) : (value < .max - 1 ? 1 : nil)
    }
  }

  private let count: Count

  init(_ value: UInt64, flags: Int32, _ control: Control) {
    count = Count(value, control)
    super.init("counter", flags: flags | O_RDWR, control)
  }

  override func waitable(_ direction: Direction) -> Waitable? { count }

  override func read(
    upTo most: Int, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    guard most >= 8 else { return .failed(EINVAL) }
    guard count.value > 0 else { return .nothing }
    defer { count.hasChanged(kernel.control) }
    defer { count.value = 0 }
    return .bytes(withUnsafeBytes(of: count.value) { Array($0) })
  }

  override func write(
    _ bytes: UnsafeRawBufferPointer, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    guard bytes.count >= 8 else { return .failed(EINVAL) }
    let more = bytes.loadUnaligned(as: UInt64.self)
    guard more < .max else { return .failed(EINVAL) }
    let (sum, isTooMuch) = count.value.addingReportingOverflow(more)
    guard !isTooMuch, sum < .max else { return .nothing }
    count.value = sum
    count.hasChanged(kernel.control)
    return .count(8)
  }
}

/// What has no bytes and tells nobody anything: a folder, the null device.
final class Silent: OpenFile {
  override func read(
    upTo most: Int, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    inode == nil ? .bytes([]) : .failed(EISDIR)
  }

  override func write(
    _ bytes: UnsafeRawBufferPointer, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer { .count(bytes.count) }
}

/// A file that is open, with its place in it. It is always ready.
final class RegularFile: OpenFile {
  /// A place in a file.
  private final class Place: Waitable {
    let inode: Inode
    var offset = 0

    init(_ inode: Inode, _ control: Control) {
      self.inode = inode
      super.init(control)
    }

    override func amount(_ direction: Direction) -> Int? {
      direction == .reading ? max(0, inode.bytes.count - offset) : 1
    }
  }

  private let place: Place

  init(_ path: String, _ inode: Inode, flags: Int32, _ control: Control) {
    place = Place(inode, control)
    super.init(path, of: inode, flags: flags, control)
  }

  override func waitable(_ direction: Direction) -> Waitable? { place }

  override func uses(_ direction: Direction, _ kernel: KernelState) -> [VisibleOperation.Use] {
    [place.use(.update), place.inode.use(direction == .reading ? .load : .update)]
      + (direction == .writing ? kernel.usesOfRoom : [])
  }

  override func read(
    upTo most: Int, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    let part = Array(place.inode.bytes.dropFirst(place.offset).prefix(most))
    guard !part.isEmpty else { return .bytes([]) }
    place.offset += part.count
    place.hasChanged(kernel.control)
    return .bytes(part)
  }

  override func write(
    _ bytes: UnsafeRawBufferPointer, _ kernel: KernelState, _ chooses: (Int) -> Int
  ) -> Transfer {
    guard !bytes.isEmpty else { return .count(0) }
    let inode = place.inode
    if flags & O_APPEND != 0 { place.offset = inode.bytes.count }
    let written = kernel.room(for: inode, place.offset + bytes.count) - place.offset
    guard written > 0 else { return .failed(ENOSPC) }
    let end = place.offset + written
    if inode.bytes.count < end {
      inode.bytes += repeatElement(0, count: end - inode.bytes.count)
    }
    inode.bytes.replaceSubrange(place.offset..<end, with: bytes.prefix(written))
    place.offset = end
    place.hasChanged(kernel.control)
    kernel.hasModified(inode)
    return .count(written)
  }

  /// Moves the place.
  ///
  /// - Returns: The new one; nil if there is none such.
  func seek(_ offset: Int, from origin: Int32, _ kernel: KernelState) -> Int? {
    kernel.control.perform(
      VisibleOperation([place.use(.update), place.inode.use(.load)]), "moves in \(name)")
    let base =
      origin == SEEK_SET ? 0 : origin == SEEK_CUR ? place.offset : place.inode.bytes.count
    guard base + offset >= 0 else { return nil }
    place.offset = base + offset
    place.hasChanged(kernel.control)
    return place.offset
  }
}
