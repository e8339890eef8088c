import Synchronization

extension Mutexed {
  final class UploadLog: Sendable {
    private let uploaded = Mutex<[String]>([])

    func append(_ name: String) { uploaded.withLock { $0.append(name) } }

    var names: [String] { uploaded.withLock { $0 } }
  }
}
