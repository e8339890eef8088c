import Foundation
import Synchronization
import Workbook

/// The two ends of a pipe that no child inherits and that do not block.
func pipeEnds() -> PipeEnds {
  var ends: [Int32] = [-1, -1]
  precondition(pipe(&ends) == 0)
  for end in ends {
    precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0 && fcntl(end, F_SETFL, O_NONBLOCK) == 0)
  }
  return PipeEnds(reading: ends[0], writing: ends[1])
}

struct PipeEnds: Sendable {
  let reading: Int32
  let writing: Int32
}

/// The path of a file of its own; the disk of an exploration has no others.
func ownPath(_ name: String, _ stage: Stage) -> String {
  "/tmp/\(name)" + (stage.isExplored ? "" : "-\(getpid())")
}

/// Two connected sockets that no child inherits and that block.
func socketEnds() -> (near: Int32, far: Int32) {
  var ends: [Int32] = [-1, -1]
  #if canImport(Darwin)
    precondition(socketpair(AF_UNIX, SOCK_STREAM, 0, &ends) == 0)
  #else
    precondition(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
  #endif
  for end in ends { precondition(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
  return (ends[0], ends[1])
}

/// Writes to a pipe with room.
func send(_ text: String, into descriptor: Int32) {
  precondition(write(descriptor, text, text.utf8.count) == text.utf8.count)
}

/// What comes, in the order in which it does.
final class Received: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  @Sendable func add(_ more: [UInt8]) { bytes.withLock { $0 += more } }

  /// What has come. Zeros are shown.
  var text: String {
    String(decoding: bytes.withLock { $0 }, as: UTF8.self).replacing("\0", with: "·")
  }
}
