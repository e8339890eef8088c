import Foundation

extension Silent {
  /// Parses the page that it is given before it begins. Without one it finds nothing.
  // Sendable because what changes is used under `lock` only.
  final class ParseOperation: Operation, @unchecked Sendable {
    private let lock = NSLock()
    private let completion: @Sendable ([Repository]) -> Void
    private var given: Data?

    init(then completion: @escaping @Sendable ([Repository]) -> Void) {
      self.completion = completion
    }

    var page: Data? {
      get { lock.withLock { given } }
      set { lock.withLock { given = newValue } }
    }

    override func main() {
      guard let page, let parsed = try? SearchPage(json: page) else { return completion([]) }
      completion(parsed.items)
    }
  }
}
