import Foundation
import Synchronization
import Testing

/// The process of a check: it runs the tests and tells its supervisor what they find.
///
/// What it tells goes through a descriptor whose number is its argument, and each line begins with a word that the
/// supervisor drew and that came through the same descriptor before any line of an answer was run. So a line that an
/// answer writes there is not the check's. It is no sandbox: both share one memory.
public enum CheckProgram {
  /// Runs the tests of this program, one after the other, and ends the process.
  public static func run() async -> Never {
    let channel = self.channel
    let options = Array(#"{"parallel":false}"#.utf8)
    // It lives as long as the process.
    let configuration = UnsafeMutableRawBufferPointer.allocate(
      byteCount: options.count, alignment: 1)
    configuration.copyBytes(from: options)
    let isPassed = try? await testingEntryPoint(UnsafeRawBufferPointer(configuration)) {
      channel.write(Data($0))
    }
    exit(isPassed == true ? 0 : 1)
  }

  /// The function of Swift Testing's stable interface that runs tests and hands over each event as JSON.
  private static var testingEntryPoint: EntryPoint {
    // Documentation/ABI/JSON.md of Swift Testing: the pointer is one to a function of this type.
    unsafeBitCast(getEntryPoint(), to: EntryPoint.self)
  }

  private typealias EntryPoint =
    @convention(thin) @Sendable (
      UnsafeRawBufferPointer?, @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) async throws -> Bool

  /// The claims that a finding was told of.
  private static let broken = Mutex<Set<String>>([])

  static var hasBroken: Bool { broken.withLock { !$0.isEmpty } }

  static func isBroken(_ claim: String) -> Bool { broken.withLock { $0.contains(claim) } }

  static func tell(_ record: CheckRecord) {
    if record.words != nil { broken.withLock { _ = $0.insert(record.claim) } }
    guard let line = try? JSONEncoder().encode(record) else { return }
    channel.write(line)
  }

  private static let channel = Channel()

  private final class Channel: Sendable {
    private let descriptor: Int32
    private let word: String
    private let isWriting = Mutex(())

    /// Reads the supervisor's word, and has the descriptor elsewhere then.
    init() {
      let given = CommandLine.arguments.dropFirst().first.flatMap(Int32.init) ?? -1
      descriptor = fcntl(given, F_DUPFD_CLOEXEC, 200)
      close(given)
      var word: [UInt8] = []
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") { word.append(byte) }
      self.word = String(decoding: word, as: UTF8.self)
    }

    func write(_ record: Data) {
      // Whatever was written there before, this begins a line.
      let line = [UInt8]("\n\(word) ".utf8) + record + [UInt8(ascii: "\n")]
      isWriting.withLock { _ in
        var rest = line[...]
        while !rest.isEmpty {
          let count = rest.withUnsafeBytes {
            Foundation.write(descriptor, $0.baseAddress, $0.count)
          }
          if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
        }
      }
    }
  }
}

@_silgen_name("swt_abiv0_getEntryPoint")
private func getEntryPoint() -> UnsafeRawPointer

/// What a check tells besides the events of its tests.
struct CheckRecord: Encodable {
  /// What it is: `finding` or `orders`.
  let kind: String
  /// The claim that it belongs to, which is the name of a test.
  let claim: String
  /// What was found, a line each.
  var words: [String]?
  /// What led to it, step by step, a line each.
  var trace: [String]?
  /// How many orders were run.
  var orders: Int?
  /// Whether these are all of them, but for orders that come to the same.
  var isAll: Bool?

  static func finding(of claim: String, _ advice: Advice) -> CheckRecord {
    CheckRecord(kind: "finding", claim: claim, words: advice.words, trace: advice.trace)
  }

  static func orders(of claim: String, run: Int, isAll: Bool) -> CheckRecord {
    CheckRecord(kind: "orders", claim: claim, orders: run, isAll: isAll)
  }
}
