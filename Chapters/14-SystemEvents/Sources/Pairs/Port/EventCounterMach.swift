#if canImport(Darwin)
  import Dispatch
  import Foundation
  import Synchronization

  /// A Mach port that wakes its reader, and the sum of what was added before it is read.
  ///
  /// Untested: it was written for Apple systems without one at hand.
  final class EventCounter: Sendable {
    private struct State {
      var port: mach_port_t?
      var sum: UInt64 = 0
    }

    private let name: mach_port_t
    private let state: Mutex<State>

    /// - Throws: ``DescriptorError`` if the process has no port left.
    init() throws(DescriptorError) {
      var name = mach_port_t()
      guard mach_port_allocate(mach_task_self_, MACH_PORT_RIGHT_RECEIVE, &name) == KERN_SUCCESS
      else {
        throw DescriptorError(
          call: "mach_port_allocate", code: EMFILE, advice: "close ports that are not needed")
      }
      mach_port_insert_right(
        mach_task_self_, name, name, mach_msg_type_name_t(MACH_MSG_TYPE_MAKE_SEND))
      self.name = name
      state = Mutex(State(port: name))
    }

    func makeSource(queue: DispatchQueue?) -> any DispatchSourceProtocol {
      DispatchSource.makeMachReceiveSource(port: name, queue: queue)
    }

    /// Adds to the counter; 0 wakes nobody.
    func add(_ count: UInt64) throws(DescriptorError) {
      try state.withLock { (state) throws(DescriptorError) in
        guard let port = state.port else { throw closedError }
        let (sum, isTooMuch) = state.sum.addingReportingOverflow(count)
        guard !isTooMuch, sum < .max else {
          throw DescriptorError(
            call: "mach_msg", code: count == .max ? EINVAL : EAGAIN,
            advice: count == .max
              ? "send less than UInt64.max"
              : "a counter holds less than UInt64.max; send again when it has been read")
        }
        // A queue of the kernel holds few messages. So one is sent for all that wait.
        if state.sum == 0, sum > 0 { sendWakeUp(to: port) }
        state.sum = sum
      }
    }

    /// What a sender gets that comes too late.
    var closedError: DescriptorError {
      DescriptorError(
        call: "mach_msg", code: EBADF, advice: "the port is closed; send before it is")
    }

    /// Takes the sum; `nil` if nothing was added.
    func take() -> UInt64? {
      state.withLock { state in
        guard let port = state.port else { return nil }
        receiveWakeUps(from: port)
        defer { state.sum = 0 }
        return state.sum == 0 ? nil : state.sum
      }
    }

    /// Closes the port; once it is closed, does nothing.
    func close() {
      let last = state.withLock { state in
        defer { state.port = nil }
        return state.port
      }
      guard let last else { return }
      mach_port_mod_refs(mach_task_self_, last, MACH_PORT_RIGHT_RECEIVE, -1)
      mach_port_deallocate(mach_task_self_, last)
    }
  }

  private func sendWakeUp(to port: mach_port_t) {
    var header = mach_msg_header_t()
    header.msgh_bits = mach_msg_bits_t(MACH_MSG_TYPE_COPY_SEND)
    header.msgh_remote_port = port
    header.msgh_size = mach_msg_size_t(MemoryLayout<mach_msg_header_t>.size)
    _ = mach_msg(
      &header, MACH_SEND_MSG | MACH_SEND_TIMEOUT, header.msgh_size, 0,
      mach_port_name_t(MACH_PORT_NULL), 0, mach_port_name_t(MACH_PORT_NULL))
  }

  private func receiveWakeUps(from port: mach_port_t) {
    while true {
      // With room for the trailer that the kernel adds.
      var message = (mach_msg_header_t(), mach_msg_max_trailer_t())
      let result = withUnsafeMutableBytes(of: &message) { bytes in
        mach_msg(
          bytes.assumingMemoryBound(to: mach_msg_header_t.self).baseAddress,
          MACH_RCV_MSG | MACH_RCV_TIMEOUT, 0, mach_msg_size_t(bytes.count), port, 0,
          mach_port_name_t(MACH_PORT_NULL))
      }
      guard result == KERN_SUCCESS else { return }
    }
  }
#endif
