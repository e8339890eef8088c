// What puts a module under the explorer, and all that it takes. A name of the module itself comes before one that is
// imported; so here, in ordinary code that imports Dispatch, Foundation or Synchronization, each name below means its
// stand-in.

import ControlledDispatch
import Foundation
import Synchronization

typealias NSLocking = ControlledDispatch.NSLocking
typealias NSLock = ControlledDispatch.NSLock
typealias NSRecursiveLock = ControlledDispatch.NSRecursiveLock
typealias NSCondition = ControlledDispatch.NSCondition
typealias NSConditionLock = ControlledDispatch.NSConditionLock
typealias Mutex<Value: ~Copyable> = ControlledDispatch.Mutex<Value>
typealias Atomic<Value: Equatable & Sendable> = ControlledDispatch.Atomic<Value>
typealias AtomicLazyReference<Instance: AnyObject & Sendable> =
  ControlledDispatch.AtomicLazyReference<Instance>

typealias DispatchQueue = ControlledDispatch.DispatchQueue
typealias DispatchGroup = ControlledDispatch.DispatchGroup
typealias DispatchSemaphore = ControlledDispatch.DispatchSemaphore
typealias DispatchWorkItem = ControlledDispatch.DispatchWorkItem
typealias DispatchWorkItemFlags = ControlledDispatch.DispatchWorkItemFlags
typealias DispatchSpecificKey<T> = ControlledDispatch.DispatchSpecificKey<T>
typealias DispatchQoS = ControlledDispatch.DispatchQoS
typealias DispatchTime = ControlledDispatch.DispatchTime
typealias DispatchWallTime = ControlledDispatch.DispatchWallTime
typealias DispatchTimeInterval = ControlledDispatch.DispatchTimeInterval
typealias DispatchTimeoutResult = ControlledDispatch.DispatchTimeoutResult
typealias DispatchPredicate = ControlledDispatch.DispatchPredicate
typealias DispatchSource = ControlledDispatch.DispatchSource
typealias DispatchSourceHandler = ControlledDispatch.DispatchSourceHandler
typealias DispatchSourceProtocol = ControlledDispatch.DispatchSourceProtocol
typealias DispatchSourceTimer = ControlledDispatch.DispatchSourceTimer
typealias DispatchSourceUserDataAdd = ControlledDispatch.DispatchSourceUserDataAdd
typealias DispatchSourceUserDataOr = ControlledDispatch.DispatchSourceUserDataOr
typealias DispatchSourceUserDataReplace = ControlledDispatch.DispatchSourceUserDataReplace

typealias Thread = ControlledDispatch.Thread
typealias Operation = ControlledDispatch.Operation
typealias BlockOperation = ControlledDispatch.BlockOperation
typealias OperationQueue = ControlledDispatch.OperationQueue

#if canImport(Darwin)
  typealias OSAllocatedUnfairLock<State> = ControlledDispatch.OSAllocatedUnfairLock<State>
#endif

// MARK: Functions, which are found by what they take

func + (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
  time.advanced(by: interval)
}

func + (time: DispatchTime, seconds: Double) -> DispatchTime { time.advanced(by: seconds) }

func - (time: DispatchTime, interval: DispatchTimeInterval) -> DispatchTime {
  time.earlier(by: interval)
}

func - (time: DispatchTime, seconds: Double) -> DispatchTime { time.earlier(by: seconds) }

func + (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime {
  time.advanced(by: interval)
}

func + (time: DispatchWallTime, seconds: Double) -> DispatchWallTime {
  time.advanced(by: seconds)
}

func - (time: DispatchWallTime, interval: DispatchTimeInterval) -> DispatchWallTime {
  time.earlier(by: interval)
}

func - (time: DispatchWallTime, seconds: Double) -> DispatchWallTime {
  time.earlier(by: seconds)
}

func dispatchPrecondition(condition: @autoclosure () -> DispatchPredicate) {
  ControlledDispatch.dispatchPrecondition(condition: condition())
}

// MARK: What is not modelled

@available(*, unavailable, message: "the explorer has no stand-in for read sources")
typealias DispatchSourceRead = Foundation.DispatchSourceRead
@available(*, unavailable, message: "the explorer has no stand-in for write sources")
typealias DispatchSourceWrite = Foundation.DispatchSourceWrite
@available(*, unavailable, message: "the explorer has no stand-in for signal sources")
typealias DispatchSourceSignal = Foundation.DispatchSourceSignal
#if canImport(Darwin)
  @available(*, unavailable, message: "the explorer has no stand-in for file-system sources")
  typealias DispatchSourceFileSystemObject = Foundation.DispatchSourceFileSystemObject
  @available(*, unavailable, message: "the explorer has no stand-in for process sources")
  typealias DispatchSourceProcess = Foundation.DispatchSourceProcess
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  @available(*, unavailable, message: "the explorer has no stand-in for os_unfair_lock")
  typealias os_unfair_lock = Foundation.os_unfair_lock
#endif
@available(*, unavailable, message: "the explorer has no stand-in for DispatchIO")
typealias DispatchIO = Foundation.DispatchIO
@available(*, unavailable, message: "the explorer has no stand-in for RunLoop")
typealias RunLoop = Foundation.RunLoop
@available(*, unavailable, message: "the explorer has no stand-in for Timer")
typealias Timer = Foundation.Timer

@available(*, unavailable, message: "the explorer has the main queue under control by itself")
func dispatchMain() -> Never { fatalError() }
