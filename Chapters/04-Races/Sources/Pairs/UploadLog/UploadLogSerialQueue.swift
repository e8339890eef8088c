import Dispatch

extension Queued {
  // Sendable because `uploaded` is read and written on `queue` only.
  final class UploadLog: @unchecked Sendable {
    private let queue = DispatchQueue(label: "uploads")
    private var uploaded: [String] = []

    func append(_ name: String) { queue.sync { uploaded.append(name) } }

    var names: [String] { queue.sync { uploaded } }
  }
}
