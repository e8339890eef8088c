import Dispatch

extension Barriered {
  // Sendable because both numbers are read on `queue` only, and written there in barriers only.
  final class UsageMeter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.usage", attributes: .concurrent)
    private var photos = 0
    private var bytes = 0

    func add(bytes count: Int) {
      queue.sync(flags: .barrier) {
        photos += 1
        bytes += count
      }
    }

    var usage: Usage { queue.sync { Usage(photos: photos, bytes: bytes) } }
  }
}
