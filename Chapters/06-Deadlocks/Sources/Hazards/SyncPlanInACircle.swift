#if EXPLORED
  import ControlledDispatch
#else
  import Foundation
#endif

/// A feature says by name what it needs to have run before; nobody sees all of them.
public struct Feature: Sendable {
  public let name: String
  public let needs: [String]

  public init(_ name: String, needs: [String] = []) {
    self.name = name
    self.needs = needs
  }
}

public struct SyncPlanInACircle {
  private let queue = OperationQueue()

  public init() {}

  /// Runs the features, each after what it needs, and waits for all.
  public func run(
    _ features: [Feature], aboutToWait: () -> Void = {},
    _ work: @escaping @Sendable (String) -> Void
  ) {
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
    aboutToWait()
    queue.waitUntilAllOperationsAreFinished()
  }
}
