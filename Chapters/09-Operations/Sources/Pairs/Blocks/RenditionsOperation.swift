import Foundation
import Synchronization

extension Depending {
  /// Several renditions of one photo, each by a block of one operation.
  final class Renditions: Sendable {
    private let renditions: Mutex<[Photo?]>

    init(count: Int) { renditions = Mutex(Array(repeating: nil, count: count)) }

    /// An operation that is finished when all blocks are.
    func operation(_ renders: [@Sendable () -> Photo]) -> BlockOperation {
      let operation = BlockOperation()
      for (index, render) in renders.enumerated() {
        operation.addExecutionBlock { [self] in
          let photo = render()
          renditions.withLock { $0[index] = photo }
        }
      }
      return operation
    }

    var all: [Photo] { renditions.withLock { $0.compactMap(\.self) } }
  }
}
