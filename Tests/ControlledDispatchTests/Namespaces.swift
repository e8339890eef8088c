import ControlledDispatch
import Dispatch
import Foundation
import Interleaving

// What a stand-in does is compared with what the real one does, by running the same text twice: in an
// extension of each of these, where the same names mean the two kinds of types.

/// The real types.
enum Real {
  typealias DispatchQueue = Dispatch.DispatchQueue
  typealias DispatchSource = Dispatch.DispatchSource
  typealias DispatchSourceUserDataAdd = Dispatch.DispatchSourceUserDataAdd
  typealias DispatchSemaphore = Dispatch.DispatchSemaphore
  typealias DispatchGroup = Dispatch.DispatchGroup
  typealias DispatchWorkItem = Dispatch.DispatchWorkItem
  typealias DispatchTime = Dispatch.DispatchTime
  typealias DispatchWallTime = Dispatch.DispatchWallTime
  typealias DispatchTimeInterval = Dispatch.DispatchTimeInterval
  typealias NSConditionLock = Foundation.NSConditionLock
  typealias Thread = Foundation.Thread
  typealias NSLock = Foundation.NSLock
  typealias Operation = Foundation.Operation
  typealias BlockOperation = Foundation.BlockOperation
  typealias OperationQueue = Foundation.OperationQueue
  typealias DispatchSpecificKey = Dispatch.DispatchSpecificKey

  /// What has happened, in order.
  final class Log: @unchecked Sendable {
    // Sendable: only used while `lock` is locked.
    private let lock = Foundation.NSLock()
    private var lines: [String] = []

    func callAsFunction(_ line: String) { lock.withLock { lines.append(line) } }
    var entries: [String] { lock.withLock { lines } }
  }
}

/// The stand-ins.
enum Twin {
  typealias DispatchQueue = ControlledDispatch.DispatchQueue
  typealias DispatchSource = ControlledDispatch.DispatchSource
  typealias DispatchSourceUserDataAdd = ControlledDispatch.DispatchSourceUserDataAdd
  typealias DispatchSemaphore = ControlledDispatch.DispatchSemaphore
  typealias DispatchGroup = ControlledDispatch.DispatchGroup
  typealias DispatchWorkItem = ControlledDispatch.DispatchWorkItem
  typealias DispatchTime = ControlledDispatch.DispatchTime
  typealias DispatchWallTime = ControlledDispatch.DispatchWallTime
  typealias DispatchTimeInterval = ControlledDispatch.DispatchTimeInterval
  typealias NSConditionLock = ControlledDispatch.NSConditionLock
  typealias Thread = ControlledDispatch.Thread
  typealias NSLock = ControlledDispatch.NSLock
  typealias Operation = ControlledDispatch.Operation
  typealias BlockOperation = ControlledDispatch.BlockOperation
  typealias OperationQueue = ControlledDispatch.OperationQueue
  typealias DispatchSpecificKey = ControlledDispatch.DispatchSpecificKey

  /// What has happened, in order.
  final class Log: Sendable {
    private let lock = ControlledDispatch.NSLock()
    private let lines = Shared([String](), "log")

    func callAsFunction(_ line: String) { lock.withLock { lines.value += [line] } }
    var entries: [String] { lock.withLock { lines.value } }
  }
}
