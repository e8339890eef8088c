#if canImport(Darwin)
  import Foundation
  import Synchronization

  /// A Mach port that wakes its reader, and the sum of what was added before it is read.
  ///
  /// Untested: it was written for Apple systems without one at hand.
  final class EventCounter: Sendable {
    private let port: mach_port_t
    /// `nil` when the port is closed. While it is more than 0, one message waits.
    private let sum = Mutex<UInt64?>(0)

    /// - Throws: ``DescriptorError`` if the process has no port left.
    init() throws(DescriptorError) {
      var port = mach_port_t()
      guard mach_port_allocate(mach_task_self_, MACH_PORT_RIGHT_RECEIVE, &port) == KERN_SUCCESS
      else {
        throw DescriptorError(
          call: "mach_port_allocate", code: EMFILE, advice: "close ports that are not needed")
      }
      self.port = port
    }

    func makeSource(queue: DispatchQueue?) -> any DispatchSourceProtocol {
      DispatchSource.makeMachReceiveSource(port: port, queue: queue)
    }

    /// Adds to the counter; 0 wakes nobody.
    func add(_ count: UInt64) throws(DescriptorError) {
      try sum.withLock { (sum) throws(DescriptorError) in
        guard let old = sum else { throw closedError }
        let (new, isTooMuch) = old.addingReportingOverflow(count)
        guard !isTooMuch, new < .max else {
          throw DescriptorError(
            call: "mach_msg", code: count == .max ? EINVAL : EAGAIN,
            advice: count == .max
              ? "send less than UInt64.max"
              : "a counter holds less than UInt64.max; send again when it has been read")
        }
        // A queue of the kernel holds few messages. So one is sent for all that wait.
        if old == 0, new > 0 { exchange(MACH_SEND_MSG | MACH_SEND_TIMEOUT) }
        sum = new
      }
    }

    /// What a sender gets that comes too late.
    var closedError: DescriptorError {
      DescriptorError(
        call: "mach_msg", code: EBADF, advice: "the port is closed; send before it is")
    }

    /// Takes the sum; `nil` if nothing was added.
    func take() -> UInt64? {
      sum.withLock { sum in
        guard let old = sum, old > 0 else { return nil }
        exchange(MACH_RCV_MSG | MACH_RCV_TIMEOUT)
        sum = 0
        return old
      }
    }

    /// Closes the port; once it is closed, does nothing.
    func close() {
      guard sum.withLock({ $0.take() }) != nil else { return }
      mach_port_mod_refs(mach_task_self_, port, MACH_PORT_RIGHT_RECEIVE, -1)
    }

    /// Sends the message, or takes it.
    private func exchange(_ options: Int32) {
      // With room for the trailer that the kernel adds.
      var message = (mach_msg_header_t(), mach_msg_max_trailer_t())
      let size = mach_msg_size_t(MemoryLayout<mach_msg_header_t>.size)
      message.0.msgh_bits = mach_msg_bits_t(MACH_MSG_TYPE_MAKE_SEND)
      message.0.msgh_remote_port = port
      message.0.msgh_size = size
      _ = withUnsafeMutableBytes(of: &message) { bytes in
        mach_msg(
          bytes.assumingMemoryBound(to: mach_msg_header_t.self).baseAddress, options, size,
          mach_msg_size_t(bytes.count), port, 0, mach_port_name_t(MACH_PORT_NULL))
      }
    }
  }
#endif
