import Foundation

/// The shape that says itself when it is ready: once its input has been set.
///
/// Its known bug: `isReady` does not ask `super`, so that dependencies count for nothing.
extension Wrong {
  final class Sharpen: Operation, @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private let source: @Sendable () -> Int?
    private var factor: Int?
    private var result: Int?

    init(source: @escaping @Sendable () -> Int?) { self.source = source }

    override var isReady: Bool { lock.withLock { factor != nil } }

    func configure(factor: Int) {
      willChangeValue(forKey: "isReady")
      lock.withLock { self.factor = factor }
      didChangeValue(forKey: "isReady")
    }

    override func main() {
      guard let pixels = source() else { return }
      lock.withLock { result = pixels * (factor ?? 1) }
    }

    var pixels: Int? { lock.withLock { result } }
  }
}

extension Right {
  final class Sharpen: Operation, @unchecked Sendable {
    // Sendable: what changes is used under `lock` only.
    private let lock = NSLock()
    private let source: @Sendable () -> Int?
    private var factor: Int?
    private var result: Int?

    init(source: @escaping @Sendable () -> Int?) { self.source = source }

    override var isReady: Bool { super.isReady && lock.withLock { factor != nil } }

    func configure(factor: Int) {
      willChangeValue(forKey: "isReady")
      lock.withLock { self.factor = factor }
      didChangeValue(forKey: "isReady")
    }

    override func main() {
      guard let pixels = source() else { return }
      lock.withLock { result = pixels * (factor ?? 1) }
    }

    var pixels: Int? { lock.withLock { result } }
  }
}
