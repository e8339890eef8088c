import Dispatch
import Foundation

extension Queued {
  /// Makes previews on a concurrent queue, and enters them on a serial one as soon as their turn comes.
  struct Import: Sendable {
    private let units = DispatchQueue(label: "com.example.previews", attributes: .concurrent)
    private let album = DispatchQueue(label: "com.example.album")
    private let width: Int

    /// - Parameter width: How many previews are under way at a time, 1 or more.
    init(width: Int) {
      precondition(width >= 1, "a width is 1 or more")
      self.width = width
    }

    /// Calls back once, on the queue of the album.
    func start(_ files: [PhotoFile], then completion: @escaping @Sendable (Album) -> Void) {
      let (light, entries) = (SharedLight(), Entries(files.count, then: completion))
      let free = DispatchSemaphore(value: width)
      // One thread waits, and no block that has a thread of the pool.
      DispatchQueue(label: "com.example.import").async {
        for (index, file) in files.enumerated() {
          free.wait()
          units.async {
            let preview = file.preview(counting: light.add)
            free.signal()
            album.async { entries.take(preview, at: index, light) }
          }
        }
        album.async { entries.finishIfEmpty() }
      }
    }
  }

  /// What has been entered, and what has come early.
  // Sendable because it is used on the queue of the album only.
  private final class Entries: @unchecked Sendable {
    private let count: Int
    private let completion: @Sendable (Album) -> Void
    private var album = Album()
    private var early: [Int: Preview] = [:]

    init(_ count: Int, then completion: @escaping @Sendable (Album) -> Void) {
      self.count = count
      self.completion = completion
    }

    func take(_ preview: Preview, at index: Int, _ light: SharedLight) {
      early[index] = preview
      while let next = early.removeValue(forKey: album.entries.count) { album.enter(next) }
      guard album.entries.count == count else { return }
      album.light = light.total
      completion(album)
    }

    func finishIfEmpty() { if count == 0 { completion(album) } }
  }
}
