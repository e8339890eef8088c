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
typealias DispatchSourceRead = ControlledDispatch.DispatchSourceRead
typealias DispatchSourceWrite = ControlledDispatch.DispatchSourceWrite
typealias DispatchSourceSignal = ControlledDispatch.DispatchSourceSignal
typealias DispatchIO = ControlledDispatch.DispatchIO

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

// MARK: Calls of the system's, spelled as its headers spell them

var errno: Int32 {
  get { Kernel.errno }
  set { Kernel.errno = newValue }
}

@discardableResult
func pipe(_ descriptors: UnsafeMutablePointer<Int32>!) -> Int32 {
  Kernel.pipe(descriptors)
}

@discardableResult
func socketpair(
  _ domain: Int32, _ type: Int32, _ protocol: Int32, _ descriptors: UnsafeMutablePointer<Int32>!
) -> Int32 {
  Kernel.socketpair(domain, type, `protocol`, descriptors)
}

@discardableResult
func eventfd(_ initial: UInt32, _ flags: Int32) -> Int32 {
  Kernel.eventfd(initial, flags)
}

@discardableResult
func open(_ path: UnsafePointer<CChar>, _ flags: Int32) -> Int32 {
  Kernel.open(path, flags)
}

@discardableResult
func open(_ path: UnsafePointer<CChar>, _ flags: Int32, _ mode: mode_t) -> Int32 {
  Kernel.open(path, flags, mode)
}

@discardableResult
func unlink(_ path: UnsafePointer<CChar>) -> Int32 { Kernel.unlink(path) }

@discardableResult
func rename(_ path: UnsafePointer<CChar>!, _ newPath: UnsafePointer<CChar>!) -> Int32 {
  Kernel.rename(path, newPath)
}

@discardableResult
func stat(
  _ path: UnsafePointer<CChar>, _ status: UnsafeMutablePointer<Foundation.stat>
) -> Int32 { Kernel.stat(path, status) }

@discardableResult
func fstat(_ descriptor: Int32, _ status: UnsafeMutablePointer<Foundation.stat>) -> Int32 {
  Kernel.fstat(descriptor, status)
}

@discardableResult
func readlink(
  _ path: UnsafePointer<CChar>, _ target: UnsafeMutablePointer<CChar>, _ size: Int
) -> Int { Kernel.readlink(path, target, size) }

// Swift converts a pointer to bytes for a function of C only.
@discardableResult
func readlink(
  _ path: UnsafePointer<CChar>, _ target: UnsafeMutableRawPointer, _ size: Int
) -> Int { Kernel.readlink(path, target, size) }

@discardableResult
func truncate(_ path: UnsafePointer<CChar>, _ size: off_t) -> Int32 {
  Kernel.truncate(path, size)
}

@discardableResult
func ftruncate(_ descriptor: Int32, _ size: off_t) -> Int32 {
  Kernel.ftruncate(descriptor, size)
}

@discardableResult
func pread(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ offset: off_t
) -> Int { Kernel.pread(descriptor, buffer, count, offset) }

@discardableResult
func lseek(_ descriptor: Int32, _ offset: off_t, _ origin: Int32) -> off_t {
  Kernel.lseek(descriptor, offset, origin)
}

@discardableResult
func fsync(_ descriptor: Int32) -> Int32 { Kernel.fsync(descriptor) }

@discardableResult
func dup(_ descriptor: Int32) -> Int32 { Kernel.dup(descriptor) }

@discardableResult
func dup2(_ descriptor: Int32, _ number: Int32) -> Int32 { Kernel.dup2(descriptor, number) }

@discardableResult
func close(_ descriptor: Int32) -> Int32 { Kernel.close(descriptor) }

@discardableResult
func fcntl(_ descriptor: Int32, _ command: Int32) -> Int32 {
  Kernel.fcntl(descriptor, command)
}

@discardableResult
func fcntl(_ descriptor: Int32, _ command: Int32, _ value: Int32) -> Int32 {
  Kernel.fcntl(descriptor, command, value)
}

@discardableResult
func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int) -> Int {
  Kernel.read(descriptor, buffer, count)
}

@discardableResult
func write(_ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int) -> Int {
  Kernel.write(descriptor, buffer, count)
}

@discardableResult
func recv(
  _ descriptor: Int32, _ buffer: UnsafeMutableRawPointer!, _ count: Int, _ flags: Int32
) -> Int { Kernel.recv(descriptor, buffer, count, flags) }

@discardableResult
func send(
  _ descriptor: Int32, _ buffer: UnsafeRawPointer!, _ count: Int, _ flags: Int32
) -> Int { Kernel.send(descriptor, buffer, count, flags) }

@discardableResult
func shutdown(_ descriptor: Int32, _ how: Int32) -> Int32 {
  Kernel.shutdown(descriptor, how)
}

@discardableResult
func socket(_ domain: Int32, _ type: Int32, _ protocol: Int32) -> Int32 {
  Kernel.socket(domain, type, `protocol`)
}

@discardableResult
func bind(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t
) -> Int32 { Kernel.bind(descriptor, address, length) }

@discardableResult
func listen(_ descriptor: Int32, _ backlog: Int32) -> Int32 {
  Kernel.listen(descriptor, backlog)
}

@discardableResult
func connect(
  _ descriptor: Int32, _ address: UnsafePointer<sockaddr>!, _ length: socklen_t
) -> Int32 { Kernel.connect(descriptor, address, length) }

@discardableResult
func accept(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { Kernel.accept(descriptor, address, length) }

@discardableResult
func getsockname(
  _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { Kernel.getsockname(descriptor, address, length) }

@discardableResult
func getsockopt(
  _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeMutableRawPointer!,
  _ length: UnsafeMutablePointer<socklen_t>!
) -> Int32 { Kernel.getsockopt(descriptor, level, option, value, length) }

@discardableResult
func setsockopt(
  _ descriptor: Int32, _ level: Int32, _ option: Int32, _ value: UnsafeRawPointer!,
  _ length: socklen_t
) -> Int32 { Kernel.setsockopt(descriptor, level, option, value, length) }

@discardableResult
func kill(_ process: pid_t, _ signal: Int32) -> Int32 { Kernel.kill(process, signal) }

@discardableResult
func signal(_ number: Int32, _ handler: Kernel.SignalHandler!) -> Kernel.SignalHandler! {
  Kernel.signal(number, handler)
}

@discardableResult
func sigaction(
  _ number: Int32, _ new: UnsafePointer<Foundation.sigaction>?,
  _ old: UnsafeMutablePointer<Foundation.sigaction>?
) -> Int32 { Kernel.sigaction(number, new, old) }

#if canImport(Glibc)
  // swift-format-ignore: AlwaysUseLowerCamelCase
  func posix_spawn(
    _ process: UnsafeMutablePointer<pid_t>!, _ path: UnsafePointer<CChar>,
    _ actions: UnsafePointer<posix_spawn_file_actions_t>!,
    _ attributes: UnsafePointer<posix_spawnattr_t>!,
    _ arguments: UnsafePointer<UnsafeMutablePointer<CChar>?>,
    _ environment: UnsafePointer<UnsafeMutablePointer<CChar>?>!
  ) -> Int32 { Kernel.spawn(process, path) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  @discardableResult
  func inotify_init1(_ flags: Int32) -> Int32 { Kernel.inotifyInit(flags) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  @discardableResult
  func inotify_add_watch(
    _ descriptor: Int32, _ path: UnsafePointer<CChar>!, _ mask: UInt32
  ) -> Int32 { Kernel.inotifyAddWatch(descriptor, path, mask) }

  // swift-format-ignore: AlwaysUseLowerCamelCase
  @discardableResult
  func inotify_rm_watch(_ descriptor: Int32, _ watch: Int32) -> Int32 {
    Kernel.inotifyRemoveWatch(descriptor, watch)
  }
#endif

@discardableResult
func waitid(
  _ type: idtype_t, _ number: id_t, _ info: UnsafeMutablePointer<siginfo_t>!, _ options: Int32
) -> Int32 { Kernel.waitid(type, number, info, options) }

@discardableResult
func poll(
  _ descriptors: UnsafeMutablePointer<pollfd>!, _ count: nfds_t, _ milliseconds: Int32
) -> Int32 { Kernel.poll(descriptors, count, milliseconds) }

// What CLinux has.

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
func linux_eventfd() -> Int32 { Kernel.eventfd(0, O_NONBLOCK) }

// swift-format-ignore: AlwaysUseLowerCamelCase
@discardableResult
func linux_pidfd_open(_ process: pid_t) -> Int32 { Kernel.openDescriptor(of: process) }

// MARK: What is not modelled

#if canImport(Darwin)
  @available(*, unavailable, message: "the explorer has no stand-in for file-system sources")
  typealias DispatchSourceFileSystemObject = Foundation.DispatchSourceFileSystemObject
  @available(*, unavailable, message: "the explorer has no stand-in for process sources")
  typealias DispatchSourceProcess = Foundation.DispatchSourceProcess
  // swift-format-ignore: TypeNamesShouldBeCapitalized
  @available(*, unavailable, message: "the explorer has no stand-in for os_unfair_lock")
  typealias os_unfair_lock = Foundation.os_unfair_lock
#endif
@available(*, unavailable, message: "the explorer has no stand-in for RunLoop")
typealias RunLoop = Foundation.RunLoop
@available(*, unavailable, message: "the explorer has no stand-in for Timer")
typealias Timer = Foundation.Timer

@available(*, unavailable, message: "the explorer has the main queue under control by itself")
func dispatchMain() -> Never { fatalError() }
