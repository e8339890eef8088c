import Foundation
public import Testing
import Workbook

/// For tests in which the other side of a descriptor hangs up while it is watched.
public let whereHangUpsAreSafe = ConditionTrait.enabled(
  if: !ThreadSanitizer.isActive,
  "a hang-up races within Dispatch, and may end the process (swift-corelibs-libdispatch issue 949)")

/// A pair of connected sockets that no child inherits.
public func socketPair() -> (near: Int32, far: Int32) {
  var ends: [Int32] = [-1, -1]
  #if canImport(Darwin)
    precondition(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
  #else
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    precondition(socketpair(AF_UNIX, kind, 0, &ends) == 0)
  #endif
  return (ends[0], ends[1])
}

/// Writes all bytes to a socket, and raises no signal if nobody reads.
@discardableResult
public func sendAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
  var rest = bytes[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { return false }
    rest = rest.dropFirst(count)
  }
  return true
}
