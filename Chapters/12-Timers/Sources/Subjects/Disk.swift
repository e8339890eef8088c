import Dispatch
import Synchronization
import Workbook

/// What stands for the disk. Its first write can be held up.
final class Disk: Sendable {
  private let texts = Mutex<[String]>([])
  private let isHeldUp: Bool
  private let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let (hasBegun, mayEnd) = (Gate(), Gate())

  init(isHeldUp: Bool = false) { self.isHeldUp = isHeldUp }

  private func isFirst(_ version: Document.Version) -> Bool {
    texts.withLock { texts in
      texts.append(version.text)
      return texts.count == 1
    }
  }

  @Sendable func write(_ version: Document.Version) {
    guard isFirst(version), isHeldUp else { return }
    begun.signal()
    end.wait()
  }

  @Sendable func writeLater(_ version: Document.Version) async {
    guard isFirst(version), isHeldUp else { return }
    hasBegun.open()
    await mayEnd.wait()
  }

  /// Waits until the first write is under way, if it is held up.
  func waitForWrite() { if isHeldUp { begun.wait() } }
  func waitForWrite() async { if isHeldUp { await hasBegun.wait() } }

  /// Lets the first write end.
  @Sendable func goOn() {
    end.signal()
    mayEnd.open()
  }

  var written: String {
    switch texts.withLock({ $0.count }) {
    case 0: "not written"
    case 1: "written once"
    case let count: "written \(count) times"
    }
  }
}

extension Document {
  convenience init(_ text: String) {
    self.init()
    edit(text)
  }
}

extension Duration {
  static let hour = Duration.seconds(3_600)
}
