import Foundation

extension Locked {
  // Sendable because `uploaded` is read and written under `lock` only.
  final class UploadLog: @unchecked Sendable {
    private let lock = NSLock()
    private var uploaded: [String] = []

    func append(_ name: String) { lock.withLock { uploaded.append(name) } }

    var names: [String] { lock.withLock { uploaded } }
  }
}
