import Dispatch
import Foundation

// What a channel of Dispatch's tells. Each program says what its handlers were told, in order.

extension Programs {
  /// A channel of one end of a pipe, and what is told.
  private final class Channel: @unchecked Sendable {
    // Sendable: a channel may be used on any thread.
    let io: DispatchIO
    let log = Log()
    private let queue = DispatchQueue(label: "channel")
    private let told = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32) {
      let (log, told) = (log, told)
      io = DispatchIO(type: .stream, fileDescriptor: descriptor, queue: queue) { error in
        log("over \(error) \(close(descriptor))")
        told.signal()
      }
    }

    /// - Parameter name: What is said of it first; nil if nothing is said.
    func read(_ length: Int, _ name: String? = "") {
      io.read(offset: 0, length: length, queue: queue) { [log, told] done, data, error in
        defer { told.signal() }
        guard let name else { return }
        let bytes = data.map { String(decoding: $0, as: UTF8.self) } ?? "nothing"
        log("\(name)\(bytes)\(done ? ", done" : "")\(error == 0 ? "" : ", error \(error)")")
      }
    }

    func write(_ text: String) {
      let data = Array(text.utf8).withUnsafeBytes { DispatchData(bytes: $0) }
      io.write(offset: 0, data: data, queue: queue) { [log, told] done, data, error in
        log("\(data.map { "\($0.count) left" } ?? "written")\(done ? ", done" : "") \(error)")
        told.signal()
      }
    }

    /// Waits until handlers were called so often.
    func wait(_ times: Int = 1) { for _ in 0..<times { told.wait() } }
  }

  private static func put(_ text: String, _ descriptor: Int32) {
    _ = write(descriptor, text, text.utf8.count)
  }

  /// Told as bytes come, and then of the end.
  static func channelReadsToTheEnd() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    let channel = Channel(reading)
    channel.io.setLimit(lowWater: 1)
    channel.read(.max)
    put("hello", writing)
    channel.wait()
    put("you", writing)
    channel.wait()
    _ = close(writing)
    channel.wait()
    channel.io.close()
    channel.wait()
    return channel.log.entries
  }

  /// Without a mark nothing is told before the end.
  static func channelTellsAtTheEnd() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    let channel = Channel(reading)
    channel.read(.max)
    put("hello", writing)
    put("you", writing)
    _ = close(writing)
    channel.wait(2)
    channel.io.close()
    channel.wait()
    return channel.log.entries
  }

  /// Reads come one after another, as many bytes as each has asked for, with a barrier between.
  static func channelReadsInTurn() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    let channel = Channel(reading)
    // The barrier may come before its handler, which is called on another queue.
    channel.read(2, nil)
    channel.io.barrier { channel.log("barrier") }
    channel.read(4, "second ")
    channel.read(1, "next ")
    put("abcdefgh", writing)
    channel.wait(3)
    channel.read(0, "third ")
    channel.wait()
    channel.io.close()
    channel.wait()
    _ = close(writing)
    return channel.log.entries
  }

  /// Told of no more bytes than the mark says.
  static func channelTellsInPieces() -> [String] {
    let (reading, writing) = Ends.pipe.open()
    let channel = Channel(reading)
    channel.io.setLimit(highWater: 4)
    put("0123456789", writing)
    channel.read(10)
    channel.wait(3)
    channel.io.close()
    channel.wait()
    _ = close(writing)
    return channel.log.entries
  }

  /// Closed, it lets what is under way end; stopped, it ends that.
  static func channelCloses() -> [String] {
    var log: [String] = []
    for flags in [DispatchIO.CloseFlags(), .stop] {
      let (reading, writing) = Ends.pipe.open()
      let channel = Channel(reading)
      channel.io.setLimit(lowWater: 1)
      channel.read(4)
      put("ab", writing)
      channel.wait()
      channel.io.close(flags: flags)
      if flags == .stop {
        channel.wait(2)
      } else {
        channel.read(1, "late ")
        channel.wait()
        put("cd", writing)
        channel.wait(2)
      }
      _ = close(writing)
      log += channel.log.entries
    }
    return log
  }

  /// All is written, or nobody reads it.
  static func channelWrites() -> [String] {
    _ = signal(SIGPIPE, SIG_IGN)
    let (reading, writing) = Ends.pipe.open()
    let channel = Channel(writing)
    channel.write("hello")
    channel.wait()
    channel.log(Programs.reading(reading, 5))
    _ = close(reading)
    channel.write("lost")
    channel.wait()
    channel.io.close()
    channel.wait()
    return channel.log.entries
  }
}
