import Foundation
import Synchronization

/// A descriptor with one owner: it is closed once, and never while it is used.
final class OwnedDescriptor: Sendable {
  /// What one `read` gave.
  enum Chunk {
    case bytes([UInt8])
    case nothingYet
    case end
  }

  private let descriptor: Mutex<Int32?>

  /// Takes over a descriptor that can be read. It no longer blocks, for others that share its open file, too.
  ///
  /// - Throws: ``DescriptorError`` if it is closed or can only be written. It is the caller's then, as before.
  init(taking descriptor: Int32) throws(DescriptorError) {
    // Dispatch says nothing of a bad descriptor: its source would stay silent for ever.
    let flags = fcntl(descriptor, F_GETFL)
    guard flags != -1 else {
      throw DescriptorError(
        call: "fcntl", descriptor: descriptor, code: errno, advice: "pass one that is open")
    }
    guard flags & O_ACCMODE != O_WRONLY else {
      throw DescriptorError(
        call: "read", descriptor: descriptor, code: EBADF,
        advice: "it can only be written; pass the end for reading")
    }
    guard fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) != -1 else {
      throw DescriptorError(
        call: "fcntl", descriptor: descriptor, code: errno, advice: "pass one that may be changed")
    }
    self.descriptor = Mutex(descriptor)
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

  /// Reads what is there, up to 64 KiB. A closed descriptor is at its end.
  func read() throws(DescriptorError) -> Chunk {
    try use { (descriptor) throws(DescriptorError) in try nextChunk(of: descriptor) } ?? .end
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

/// Reads what is there from a descriptor that does not block, up to 64 KiB.
func nextChunk(of descriptor: Int32) throws(DescriptorError) -> OwnedDescriptor.Chunk {
  let size = 65_536
  while true {
    var count = 0
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
      count = read(descriptor, buffer.baseAddress, size)
      code = errno
      filled = max(count, 0)
    }
    if count > 0 { return .bytes(bytes) }
    if count == 0 { return .end }
    if code == EAGAIN { return .nothingYet }
    guard code == EINTR else {
      throw DescriptorError(
        call: "read", descriptor: descriptor, code: code,
        advice: "nothing more comes; open another connection")
    }
  }
}
