import Foundation

extension TwoSteps {
  /// The memory is thread-safe, and so is the table.
  // Sendable because `waiters` is used under `lock` only.
  final class PictureLoader: @unchecked Sendable {
    private let memory: any PictureMemory
    private let load: CallbackLoad
    private let lock = NSLock()
    private var waiters: [URL: [Completion<Picture>]] = [:]

    init(memory: any PictureMemory, load: @escaping CallbackLoad) {
      self.memory = memory
      self.load = load
    }

    func load(_ url: URL, then completion: @escaping Completion<Picture>) {
      if let picture = memory.picture(for: url) { return completion(.success(picture)) }
      let isFirst = lock.withLock {
        waiters[url, default: []].append(completion)
        return waiters[url]?.count == 1
      }
      guard isFirst else { return }
      _ = load(url) { [self] result in
        if case .success(let picture) = result { memory.keep(picture, for: url) }
        let waiters = lock.withLock { self.waiters.removeValue(forKey: url) ?? [] }
        for completion in waiters { completion(result) }
      }
    }
  }
}
