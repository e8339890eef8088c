import Foundation

/// Keeps what was downloaded from one service on disk, in one file for each address. A file is there whole, or not at all.
final class PictureFolder: Sendable {
  private let folder: URL
  // Reading and writing hold a thread, so it is none of the pool for tasks. One after the other: what was kept is
  // found.
  private let queue = DispatchQueue(label: "com.example.pictures", qos: .utility)

  /// - Parameter folder: The folder, which is there.
  init(_ folder: URL) { self.folder = folder }

  /// Calls back on a queue of the system.
  func data(for url: URL, then completion: @escaping @Sendable (Data?) -> Void) {
    queue.async {
      let data = try? Data(contentsOf: self.file(for: url))
      // A picture is decoded elsewhere, so that the next one can be read.
      DispatchQueue.global().async { completion(data) }
    }
  }

  func data(for url: URL) async -> Data? {
    await withCheckedContinuation { continuation in
      data(for: url) { continuation.resume(returning: $0) }
    }
  }

  /// Without an error: what cannot be kept is downloaded again.
  func keep(_ data: Data, for url: URL) {
    queue.async { try? data.write(to: self.file(for: url), options: .atomic) }
  }

  private func file(for url: URL) -> URL {
    // Without the host, because a server may have several names. One that is too long for a file is never kept.
    let name = "\(url.path)?\(url.query ?? "")"
    return folder.appending(
      path: name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
  }
}
