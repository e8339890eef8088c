import Foundation

/// Fetches pages beside each other and calls back with all of them.
///
/// Its known bug: each page enters the group only when its item runs, and the group may have been found empty by then.
extension Wrong {
  final class DownloadCoordinator: @unchecked Sendable {
    // Sendable: `pages` is used under `lock` only.
    private let queue = DispatchQueue(label: "downloads", qos: .utility, attributes: .concurrent)
    private let group = DispatchGroup()
    private let lock = NSLock()
    private var pages: [Int] = []

    func download(_ numbers: [Int], completion: @escaping @Sendable ([Int]) -> Void) {
      for number in numbers {
        queue.async { [self] in
          group.enter()
          lock.withLock { pages.append(number) }
          group.leave()
        }
      }
      group.notify(queue: .main) { completion(self.lock.withLock { self.pages.sorted() }) }
    }
  }
}

extension Right {
  final class DownloadCoordinator: @unchecked Sendable {
    // Sendable: `pages` is used under `lock` only.
    private let queue = DispatchQueue(label: "downloads", qos: .utility, attributes: .concurrent)
    private let group = DispatchGroup()
    private let lock = NSLock()
    private var pages: [Int] = []

    func download(_ numbers: [Int], completion: @escaping @Sendable ([Int]) -> Void) {
      for number in numbers {
        group.enter()
        queue.async { [self] in
          lock.withLock { pages.append(number) }
          group.leave()
        }
      }
      group.notify(queue: .main) { completion(self.lock.withLock { self.pages.sorted() }) }
    }
  }
}
