import Dispatch

/// The network layer: it calls back on its own queue.
final class Network: Sendable {
  let queue = DispatchQueue(label: "network")

  func get(_ path: String, then completion: @escaping @Sendable (String) -> Void) {
    queue.async { completion("contents of \(path)") }
  }
}
