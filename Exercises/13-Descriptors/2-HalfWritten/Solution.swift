import ControlledDispatch  // its types are spelled as Dispatch's, and the check gives the turns
import Glibc  // it has EAGAIN, EINTR and MSG_NOSIGNAL

/// The system's call `send`, or a call in its place. It stays as it is.
///
/// It returns how many bytes it has taken. If it fails it returns -1, and `Kernel.errno` says why.
typealias Send =
  @Sendable (
    _ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int, _ flags: Int32
  ) -> Int

/// Sends a message through a socket that does not block, and then closes the socket.
///
/// The check uses `Send` and `init(sending:taking:queue:by:whenOver:)`.
// Sendable because what changes is used on the queue alone.
final class Sender: @unchecked Sendable {
  private let descriptor: Int32
  private let send: Send
  private let source: any DispatchSourceWrite
  // region fields
  private var rest: ArraySlice<UInt8>
  /// The number of the error that has ended it, or 0.
  private var code: Int32 = 0
  // endregion

  // region init
  /// Begins to send.
  ///
  /// - Parameters:
  ///   - descriptor: The socket. It is the sender's, which closes it.
  ///   - queue: A serial queue, which the handlers run on.
  ///   - send: The call that sends.
  ///   - whenOver: Called once on the queue, after the socket is closed: with 0 if all is sent, or with the number of
  ///     the error.
  init(
    sending message: [UInt8], taking descriptor: Int32, queue: DispatchQueue,
    by send: @escaping Send, whenOver: @escaping @Sendable (Int32) -> Void
  ) {
    self.descriptor = descriptor
    self.send = send
    rest = message[...]
    source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
    // The handlers keep the sender, and the source releases them once it is cancelled.
    source.setEventHandler { [self] in sendSome() }
    source.setCancelHandler { [self] in
      Kernel.close(descriptor)
      whenOver(code)
    }
    source.activate()
  }
  // endregion

  // region sendSome
  /// Sends what there is room for.
  private func sendSome() {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
        continue
      }
      switch Kernel.errno {
      case EINTR: continue
      // The source fires when there is room again.
      case EAGAIN: return
      case let error:
        code = error
        rest = []
      }
    }
    source.cancel()
  }
  // endregion
}
