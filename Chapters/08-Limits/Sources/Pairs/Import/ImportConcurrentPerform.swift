import Dispatch
import Foundation

extension Performed {
  struct Import: Sendable {
    /// Holds the calling thread until the last preview is made, and works on them, too.
    func album(of files: [PhotoFile]) -> Album {
      let (light, previews) = (SharedLight(), Slots<Preview>(files.count))
      DispatchQueue.concurrentPerform(iterations: files.count) { index in
        previews.set(files[index].preview(counting: light.add), at: index)
      }
      var album = Album()
      for preview in previews.all { album.enter(preview) }
      album.light = light.total
      return album
    }
  }
}

/// Results of units that end in any order, in the order of their numbers.
// Sendable because `values` is used under the lock only.
final class Slots<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var values: [Value?]

  init(_ count: Int) { values = Array(repeating: nil, count: count) }

  func set(_ value: Value, at index: Int) { lock.withLock { values[index] = value } }

  /// All of them. Each has been set.
  var all: [Value] { lock.withLock { values.map { $0! } } }
}
