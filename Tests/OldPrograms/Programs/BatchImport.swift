import Dispatch

/// Reads files beside each other and says how many could be read.
///
/// Its known bug: on the path of an error the group is not left.
extension Wrong {
  final class BatchImport: @unchecked Sendable {
    // Sendable: `count` is used on `results` only, which is serial.
    private let results = DispatchQueue(label: "import.results")
    private var count = 0

    func run(_ files: [String], completion: @escaping @Sendable (Int) -> Void) {
      let group = DispatchGroup()
      for file in files {
        group.enter()
        DispatchQueue.global(qos: .utility).async {
          guard file.hasSuffix(".csv") else { return }
          self.results.async {
            self.count += 1
            group.leave()
          }
        }
      }
      group.notify(queue: results) { completion(self.count) }
    }
  }
}

extension Right {
  final class BatchImport: @unchecked Sendable {
    // Sendable: `count` is used on `results` only, which is serial.
    private let results = DispatchQueue(label: "import.results")
    private var count = 0

    func run(_ files: [String], completion: @escaping @Sendable (Int) -> Void) {
      let group = DispatchGroup()
      for file in files {
        group.enter()
        DispatchQueue.global(qos: .utility).async {
          guard file.hasSuffix(".csv") else { return group.leave() }
          self.results.async {
            self.count += 1
            group.leave()
          }
        }
      }
      group.notify(queue: results) { completion(self.count) }
    }
  }
}
