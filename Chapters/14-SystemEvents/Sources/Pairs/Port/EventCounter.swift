#if canImport(CLinux)
  import CLinux
  import Foundation

  /// A counter of the kernel that wakes its reader: eventfd(2). What is added before it is read is one sum.
  final class EventCounter: Sendable {
    private let number: Int32
    private let descriptor: OwnedDescriptor

    /// - Throws: ``DescriptorError`` if the process has no descriptor left.
    init() throws(DescriptorError) {
      number = linux_eventfd()
      guard number != -1 else {
        throw DescriptorError(
          call: "eventfd", code: errno, advice: "close descriptors that are not needed")
      }
      descriptor = try OwnedDescriptor(taking: number)
    }

    func makeSource(queue: DispatchQueue?) -> any DispatchSourceProtocol {
      DispatchSource.makeReadSource(fileDescriptor: number, queue: queue)
    }

    /// Adds to the counter; 0 wakes nobody.
    func add(_ count: UInt64) throws(DescriptorError) {
      var count = count
      let sent: Void? = try descriptor.use { (descriptor) throws(DescriptorError) in
        while write(descriptor, &count, 8) == -1 {
          let code = errno
          guard code == EINTR else {
            throw DescriptorError(
              call: "write", descriptor: descriptor, code: code,
              advice: count == .max
                ? "send less than UInt64.max"
                : "a counter holds less than UInt64.max; send again when it has been read")
          }
        }
      }
      guard sent != nil else { throw closedError }
    }

    /// What a sender gets that comes too late.
    var closedError: DescriptorError {
      DescriptorError(
        call: "write", descriptor: number, code: EBADF,
        advice: "the port is closed; send before it is")
    }

    /// Takes the sum; `nil` if nothing was added.
    func take() -> UInt64? {
      let sum = try? descriptor.use { descriptor in
        var sum: UInt64 = 0
        while read(descriptor, &sum, 8) == -1, errno == EINTR {}
        return sum
      }
      return sum == 0 ? nil : sum
    }

    func close() { descriptor.closeOnce() }
  }
#endif
