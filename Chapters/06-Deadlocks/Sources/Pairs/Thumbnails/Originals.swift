import Dispatch

/// Sendable because the files are used on `queue` only.
final class Originals: @unchecked Sendable {
  private let queue: DispatchQueue
  private let files: [String: String]

  init(_ files: [String: String], on disk: DispatchQueue) {
    queue = DispatchQueue(label: "originals", target: disk)
    self.files = files
  }

  func photo(_ name: String) -> String? { queue.sync { files[name] } }

  /// Begins to read a photo; who cannot go on without it waits for the item.
  func read(_ name: String, then completion: @escaping @Sendable (String?) -> Void)
    -> DispatchWorkItem
  {
    let item = DispatchWorkItem { @Sendable [self] in completion(files[name]) }
    queue.async(execute: item)
    return item
  }
}
