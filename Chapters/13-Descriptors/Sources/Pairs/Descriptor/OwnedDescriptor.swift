import Foundation
import Synchronization

/// A descriptor with one owner: it is closed once, and never while it is used.
final class OwnedDescriptor: Sendable {
  /// What it is for.
  enum Purpose { case reading, writing, both }

  /// What one `read` gave.
  enum Chunk {
    case bytes([UInt8])
    case end
  }

  /// For its source and for messages. What is read and written with it goes through ``use(_:)``.
  let number: Int32
  private let descriptor: Mutex<Int32?>
  private let isSocket: Bool

  private init(owning number: Int32, isSocket: Bool) {
    self.number = number
    descriptor = Mutex(number)
    self.isSocket = isSocket
  }

  /// Takes over a descriptor. It no longer blocks, for others that share its open file, too.
  ///
  /// - Throws: ``DescriptorError`` if it is closed or goes the other way only. It is the caller's then, as before.
  convenience init(taking descriptor: Int32, for purpose: Purpose = .reading)
    throws(DescriptorError)
  {
    // Dispatch says nothing of a bad descriptor: its source would stay silent for ever.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags != -1 else {
      throw DescriptorError(
        call: "fcntl", descriptor: descriptor, code: errno, advice: "pass one that is open")
    }
    let mode = flags & O_ACCMODE
    let cannotBeRead = purpose != .writing && mode == O_WRONLY
    if cannotBeRead || purpose != .reading && mode == O_RDONLY {
      throw DescriptorError(
        call: cannotBeRead ? "read" : "write", descriptor: descriptor, code: EBADF,
        advice: cannotBeRead
          ? "it can only be written; pass the end for reading"
          : "it can only be read; pass the end for writing")
    }
    // The flags that it has stay. One of them may say that it appends.
    guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != -1 else {
      throw DescriptorError(
        call: "fcntl", descriptor: descriptor, code: errno, advice: "pass one that may be changed")
    }
    self.init(
      owning: descriptor, isSocket: purpose != .reading && makeSilent(socket: descriptor))
  }

  /// Runs code that may use the descriptor, with nobody closing it meanwhile.
  ///
  /// - Returns: What the code gave, or `nil` if the descriptor is closed.
  func use<Result: Sendable>(_ body: (Int32) throws(DescriptorError) -> Result)
    throws(DescriptorError) -> Result?
  {
    try descriptor.withLock { (open) throws(DescriptorError) in
      guard let descriptor = open else { return nil }
      return try body(descriptor)
    }
  }

  /// Reads what is there. A closed descriptor is at its end.
  ///
  /// - Parameter most: How many bytes at most, 1 or more.
  /// - Returns: `nil` if there is nothing yet.
  func read(upTo most: Int = 65_536) throws(DescriptorError) -> Chunk? {
    try use { (open) throws(DescriptorError) in try nextChunk(of: open, upTo: most) } ?? .end
  }

  /// Writes what there is room for.
  ///
  /// A socket that nobody reads is an error. A pipe that nobody reads raises SIGPIPE, too, unless the program ignores it.
  ///
  /// - Returns: How many bytes; `nil` if there is no room yet.
  func write(_ bytes: ArraySlice<UInt8>) throws(DescriptorError) -> Int? {
    let written = try use { (descriptor) throws(DescriptorError) in
      try put(bytes, into: descriptor, isSocket: isSocket)
    }
    guard let written else { throw DescriptorError.closed }
    return written
  }

  /// Gives the same pipe or socket, which is open, a second number, with an owner of its own.
  func duplicate() throws(DescriptorError) -> OwnedDescriptor {
    let second = try use { fcntl($0, F_DUPFD_CLOEXEC, 0) } ?? -1
    guard second != -1 else {
      throw DescriptorError(
        call: "fcntl", descriptor: number, code: errno,
        advice: "close descriptors that are not needed")
    }
    return OwnedDescriptor(owning: second, isSocket: isSocket)
  }

  /// Closes the descriptor; once it is closed, does nothing.
  func closeOnce() {
    let last = descriptor.withLock { open in
      defer { open = nil }
      return open
    }
    if let last { _ = close(last) }
  }
}

/// Gives a descriptor to its owner, and closes it if that refuses.
func handOver<Owner>(
  _ number: Int32, to owner: (Int32) throws(DescriptorError) -> Owner
) throws(DescriptorError) -> Owner {
  do { return try owner(number) } catch {
    _ = close(number)
    throw error
  }
}

/// Reads what is there from a descriptor that does not block.
///
/// - Returns: `nil` if there is nothing yet.
func nextChunk(of descriptor: Int32, upTo most: Int = 65_536) throws(DescriptorError)
  -> OwnedDescriptor.Chunk?
{
  while true {
    var count = 0
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      count = read(descriptor, buffer.baseAddress, most)
      code = errno
      filled = max(count, 0)
    }
    if count > 0 { return .bytes(bytes) }
    if count == 0 { return .end }
    if code == EAGAIN { return nil }
    guard code == EINTR else {
      throw DescriptorError(
        call: "read", descriptor: descriptor, code: code,
        advice: "nothing more comes; open another connection")
    }
  }
}

/// Writes what there is room for to a descriptor that does not block.
///
/// - Returns: `nil` if there is no room yet.
func put(_ bytes: ArraySlice<UInt8>, into descriptor: Int32, isSocket: Bool)
  throws(DescriptorError) -> Int?
{
  while true {
    let count = bytes.withUnsafeBytes {
      isSocket
        ? send(descriptor, $0.baseAddress, $0.count, withoutSignal)
        : write(descriptor, $0.baseAddress, $0.count)
    }
    if count >= 0 { return count }
    let code = errno
    if code == EAGAIN { return nil }
    guard code == EINTR else {
      throw DescriptorError(
        call: "write", descriptor: descriptor, code: code,
        advice: code == ENOSPC
          ? "make room, and write again" : "nobody reads any more; open another connection")
    }
  }
}

/// What lets a send that nobody reads raise no signal.
#if canImport(Darwin)
  let withoutSignal: Int32 = 0
#else
  let withoutSignal = Int32(MSG_NOSIGNAL)
#endif

/// Returns whether it is a socket. Where a send cannot be without a signal, a socket is made to raise none.
private func makeSilent(socket: Int32) -> Bool {
  var (value, size) = (Int32(1), socklen_t(MemoryLayout<Int32>.size))
  #if canImport(Darwin)
    return setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &value, size) == 0
  #else
    return getsockopt(socket, SOL_SOCKET, SO_TYPE, &value, &size) == 0
  #endif
}
