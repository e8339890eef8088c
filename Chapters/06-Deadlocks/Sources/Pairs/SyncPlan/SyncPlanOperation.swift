import Foundation

extension Checked {
  struct SyncPlan {
    /// Features that need one another, each the next, and the last the first.
    struct Cycle: Error, Equatable {
      let names: [String]
    }

    private let queue = OperationQueue()

    /// Runs the features, each after what it needs, and waits for all.
    ///
    /// - Throws: ``Cycle`` before anything has run.
    func run(_ features: [Feature], _ work: @escaping @Sendable (String) -> Void) throws {
      let needs = Dictionary(uniqueKeysWithValues: features.map { ($0.name, $0.needs) })
      if let cycle = cycle(in: needs) { throw Cycle(names: cycle) }
      var operations: [String: Operation] = [:]
      for feature in features {
        operations[feature.name] = BlockOperation { work(feature.name) }
      }
      for feature in features {
        for need in feature.needs {
          operations[feature.name]!.addDependency(operations[need]!)
        }
      }
      queue.addOperations(features.map { operations[$0.name]! }, waitUntilFinished: false)
      queue.waitUntilAllOperationsAreFinished()
    }

    private func cycle(in needs: [String: [String]]) -> [String]? {
      var isDone: Set<String> = []
      var path: [String] = []
      func search(_ name: String) -> [String]? {
        if let start = path.firstIndex(of: name) { return Array(path[start...]) }
        guard !isDone.contains(name) else { return nil }
        path.append(name)
        for need in needs[name] ?? [] {
          if let cycle = search(need) { return cycle }
        }
        path.removeLast()
        isDone.insert(name)
        return nil
      }
      for name in needs.keys.sorted() {
        if let cycle = search(name) { return cycle }
      }
      return nil
    }
  }
}
