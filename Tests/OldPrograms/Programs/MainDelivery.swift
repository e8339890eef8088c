import Foundation

/// Keeps the title that a window shows, which is changed on the main thread only.
///
/// Its known bug: whoever is on the main thread already waits for it there.
extension Wrong {
  final class WindowTitle: @unchecked Sendable {
    // Sendable: `text` is used on the main queue only.
    private var text = "untitled"

    func set(_ text: String) -> String {
      DispatchQueue.main.sync {
        let old = self.text
        self.text = text
        return old
      }
    }
  }
}

extension Right {
  final class WindowTitle: @unchecked Sendable {
    // Sendable: `text` is used on the main queue only.
    private var text = "untitled"

    func set(_ text: String) -> String {
      func change() -> String {
        let old = self.text
        self.text = text
        return old
      }
      return Thread.isMainThread ? change() : DispatchQueue.main.sync(execute: change)
    }
  }
}
