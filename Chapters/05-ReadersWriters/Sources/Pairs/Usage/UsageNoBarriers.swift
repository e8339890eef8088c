import Dispatch

extension Unbarriered {
  // Sendable is false on purpose: writes run beside reads and writes. It runs in a child process, or under the explorer,
  // only.
  final class UsageMeter: @unchecked Sendable {
    private let queue = DispatchQueue(label: "com.example.usage", attributes: .concurrent)
    private var photos = 0
    private var bytes = 0

    func add(bytes count: Int) {
      queue.sync {
        photos += 1
        bytes += count
      }
    }

    var usage: Usage { queue.sync { Usage(photos: photos, bytes: bytes) } }
  }
}
