import Dispatch

// Sendable because `uploaded` is read and written on `queue` only.
public final class UploadLogSerialQueue: UploadLog, @unchecked Sendable {
  private let queue = DispatchQueue(label: "upload log")
  private var uploaded: [String] = []

  public init() {}

  public func append(_ name: String) {
    queue.async { self.uploaded.append(name) }
  }

  /// Waits for every append before it: the queue is first in, first out.
  public var names: [String] { queue.sync { uploaded } }
}
