import ControlledDispatch
import Foundation
import Interleaving

/// The programs of `RealPrograms`, against the stand-ins.
enum Programs {
  /// What has happened, in order.
  final class Log: Sendable {
    private let lock = NSLock()
    private let lines = Shared([String](), "log")

    func callAsFunction(_ line: String) { lock.withLock { lines.value += [line] } }
    var entries: [String] { lock.withLock { lines.value } }
  }
}
