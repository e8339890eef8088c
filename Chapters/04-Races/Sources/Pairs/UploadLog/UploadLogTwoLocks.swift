import Foundation

extension LockedByHalves {
  // Sendable because `uploaded` is read and written under `lock` only. That guards each use, and not both.
  final class UploadLog: @unchecked Sendable {
    private let lock = NSLock()
    private var uploaded: [String] = []

    func append(_ name: String) { names = names + [name] }

    private(set) var names: [String] {
      get { lock.withLock { uploaded } }
      set { lock.withLock { uploaded = newValue } }
    }
  }
}
