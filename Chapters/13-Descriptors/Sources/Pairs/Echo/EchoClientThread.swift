import Foundation

extension Threaded {
  /// Sends a message on a thread of its own, and takes as many bytes as its answer here, over a socket that blocks.
  ///
  /// - Returns: The answer; shorter if the other side has left.
  static func echo(of message: [UInt8], over descriptor: Int32) -> [UInt8] {
    let isSent = DispatchSemaphore(value: 0)
    Thread {
      sendAll(message, over: descriptor)
      isSent.signal()
    }.start()
    let answer = receiveAll(message.count, over: descriptor)
    // Not before: the number is the thread's, too.
    isSent.wait()
    return answer
  }
}

/// Sends all bytes, or as many as there is room for and somebody reads, and says how many.
@discardableResult
func sendAll(_ message: [UInt8], over descriptor: Int32) -> Int {
  var rest = message[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes {
      send(descriptor, $0.baseAddress, $0.count, withoutSignal)
    }
    guard count > 0 else { break }
    rest = rest.dropFirst(count)
  }
  return message.count - rest.count
}

/// Takes so many bytes, or those that there are until the end.
func receiveAll(_ count: Int, over descriptor: Int32) -> [UInt8] {
  var answer: [UInt8] = []
  var piece = [UInt8](repeating: 0, count: 65_536)
  while answer.count < count {
    let received = recv(descriptor, &piece, min(piece.count, count - answer.count), 0)
    guard received > 0 else { break }
    answer += piece.prefix(received)
  }
  return answer
}
