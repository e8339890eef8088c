import Synchronization

extension Mutexed {
  final class UsageMeter: Sendable {
    private let total = Mutex(Usage())

    func add(bytes: Int) {
      total.withLock { total in
        total.photos += 1
        total.bytes += bytes
      }
    }

    var usage: Usage { total.withLock { $0 } }
  }
}
