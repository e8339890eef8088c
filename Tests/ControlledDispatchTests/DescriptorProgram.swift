import ControlledDispatch
import Glibc
import Interleaving

/// A small random program of two threads and a source that use one pipe, or two sockets; in every third, the threads use files
/// of one name instead, each the one that it has opened last, and what is told of them.
struct DescriptorProgram: CustomStringConvertible {
  enum Step: CaseIterable {
    case write, writeMore, read, readMore, closeReading, closeWriting, endWriting, closeCopy,
      openAnother, cancel, pause
    case open, writeFile, closeFile, unlink, rename, watch, readNotices

    static let ofFiles: [Step] = [
      .open, .writeFile, .closeFile, .unlink, .rename, .watch, .readNotices,
    ]
    static let ofEnds = allCases.filter { !ofFiles.contains($0) }
  }

  enum Handler: CaseIterable { case readOnce, readAll, ignore }

  let isPipe: Bool
  let waits: Bool
  let isWritten: Bool
  let handler: Handler
  let shortCounts: Int
  let interruptions: Int
  let strands: [[Step]]

  init(using generator: inout SplitMix64) {
    isPipe = Bool.random(using: &generator)
    waits = Int.random(in: 0..<4, using: &generator) == 0
    isWritten = Int.random(in: 0..<3, using: &generator) == 0
    handler = Handler.allCases.randomElement(using: &generator)!
    shortCounts = Int.random(in: 0...1, using: &generator)
    interruptions = Int.random(in: 0...1, using: &generator)
    let steps = Int.random(in: 0..<3, using: &generator) == 0 ? Step.ofFiles : Step.ofEnds
    strands = (0..<2).map { _ in
      (0..<Int.random(in: 0...2, using: &generator)).map { _ in
        steps.randomElement(using: &generator)!
      }
    }
  }

  var description: String {
    "\(isPipe ? "pipe" : "sockets"), \(waits ? "waits" : "does not wait"), "
      + "\(isWritten ? "write" : "read") source: \(handler), \(shortCounts) short, "
      + "\(interruptions) interrupted\n" + strands.map { "  \($0)" }.joined(separator: "\n")
  }

  private let path = "/tmp/file"
  private let watched = UInt32(IN_MODIFY | IN_ATTRIB | IN_MOVE_SELF | IN_DELETE_SELF)

  /// What one strand has seen.
  private final class Log: @unchecked Sendable {
    // Sendable: used by one strand at a time, whose orders the program makes.
    var text = ""

    func say(_ result: Int, _ bytes: ArraySlice<UInt8> = []) {
      let list = bytes.map { "." + String($0) }.joined()
      text += result == -1 ? "e\(Kernel.errno) " : "\(result)\(list) "
    }
  }

  /// Sendable because Dispatch's sources may be used on any thread.
  private struct Watch: @unchecked Sendable { let source: any DispatchSourceProtocol }

  /// - Returns: What each strand has seen, the handler's last.
  func run() -> [String] {
    Kernel.limitBuffers(to: 4)
    Kernel.allow(shortCounts: shortCounts, interruptions: interruptions)
    var ends: [Int32] = [0, 0]
    _ = isPipe ? Kernel.pipe(&ends) : Kernel.socketpair(AF_UNIX, 0, 0, &ends)
    let (reading, writing) = (ends[0], ends[1])
    if !waits { for end in ends { _ = Kernel.fcntl(end, F_SETFL, O_NONBLOCK) } }
    let file = Kernel.open(path, O_RDWR | O_CREAT)
    let inotify = Kernel.inotifyInit(O_NONBLOCK)
    let logs = (0...strands.count).map { _ in Log() }
    let over = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "q")
    let source: any DispatchSourceProtocol =
      isWritten
      ? DispatchSource.makeWriteSource(fileDescriptor: writing, queue: queue)
      : DispatchSource.makeReadSource(fileDescriptor: reading, queue: queue)
    source.setEventHandler {
      logs.last!.text += "(\(source.data)) "
      handle(reading, writing, logs.last!)
      if logs.last!.text.count > 30 { source.cancel() }
    }
    source.setCancelHandler { over.signal() }
    source.activate()
    let watch = Watch(source: source)
    ControlledDispatch.strands(
      { play(strands[0], "a", watch.source, reading, writing, file, inotify, logs[0]) },
      { play(strands[1], "b", watch.source, reading, writing, file, inotify, logs[1]) })
    source.cancel()
    over.wait()
    return logs.map(\.text)
  }

  private func handle(_ reading: Int32, _ writing: Int32, _ log: Log) {
    switch handler {
    case .ignore: break
    case .readOnce where isWritten: write(1, 9, to: writing, log)
    case .readOnce: read(2, from: reading, log)
    case .readAll:
      if isWritten { return write(3, 9, to: writing, log) }
      while read(2, from: reading, log) {}
    }
  }

  @discardableResult
  private func read(_ count: Int, from descriptor: Int32, _ log: Log) -> Bool {
    var bytes: [UInt8] = [0, 0, 0]
    let result = Kernel.read(descriptor, &bytes, count)
    log.say(result, bytes.prefix(max(0, result)))
    return result > 0
  }

  private func write(_ count: Int, _ byte: UInt8, to descriptor: Int32, _ log: Log) {
    let bytes = [UInt8](repeating: byte, count: count)
    // Without a signal.
    log.say(
      isPipe
        ? Kernel.write(descriptor, bytes, count)
        : Kernel.send(descriptor, bytes, count, Int32(MSG_NOSIGNAL)))
  }

  private func play(
    _ steps: [Step], _ name: Character, _ source: any DispatchSourceProtocol, _ reading: Int32,
    _ writing: Int32, _ file: Int32, _ inotify: Int32, _ log: Log
  ) {
    let byte: UInt8 = name == "a" ? 1 : 2
    var file = file
    for step in steps {
      switch step {
      case .write: write(1, byte, to: writing, log)
      case .writeMore: write(3, byte, to: writing, log)
      case .read: read(1, from: reading, log)
      case .readMore: read(3, from: reading, log)
      case .closeReading: log.say(Int(Kernel.close(reading)))
      case .closeWriting: log.say(Int(Kernel.close(writing)))
      case .endWriting: log.say(Int(Kernel.shutdown(writing, Int32(SHUT_WR))))
      case .closeCopy:
        let copy = Kernel.dup(reading)
        log.say(Int(copy))
        log.say(Int(Kernel.close(copy)))
      case .openAnother:
        var ends: [Int32] = [0, 0]
        log.say(Int(Kernel.pipe(&ends)))
        log.text += "\(ends) "
      case .cancel: source.cancel()
      case .pause:
        source.suspend()
        source.resume()
      case .open:
        file = Kernel.open(path, O_RDWR | O_CREAT)
        log.say(Int(file))
      case .writeFile: log.say(Kernel.write(file, [byte], 1))
      case .closeFile: log.say(Int(Kernel.close(file)))
      case .unlink: log.say(Int(Kernel.unlink(path)))
      case .rename: log.say(Int(Kernel.rename(path, path + "2")))
      case .watch: log.say(Int(Kernel.inotifyAddWatch(inotify, path, watched)))
      case .readNotices:
        // One notice: its kinds are behind the number of the watch.
        var bytes = [UInt8](repeating: 0, count: 16)
        log.say(Kernel.read(inotify, &bytes, 16), bytes[4..<6])
      }
    }
  }
}
