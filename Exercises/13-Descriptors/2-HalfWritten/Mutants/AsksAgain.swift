// Looks right: where there is no room it tries again until there is some. Wrong: until somebody reads, the queue does no
// other work.

extension Sender {
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
      case EINTR, EAGAIN: continue
      case let error:
        code = error
        rest = []
      }
    }
    source.cancel()
  }
  // endregion
}
