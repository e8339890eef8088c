import Foundation
import Synchronization

/// A machine for small programs, each of whose instructions is a line of ordinary code.
public final class Machine: @unchecked Sendable {
  public enum Instruction: String, CaseIterable, Sendable, Hashable {
    case incrementX, addYToX, setX, setY, readX, readY, readXIfFlag, setFlag, clearFlag, toggleFlag
    case addAtomic, storeAtomic, copyAtomic, exchangeAtomic, readXIfAtomic
    case lockedIncrementX, lockedReadY, lockedSetY, mutexIncrementX, mutexSetFlag
    case lock, unlock
  }

  public var x = 0
  public var y = 0
  public var flag = false
  public let atomic = Atomic(0)
  public var registers: [Int]
  private let lock = NSLock()
  private let mutex = Mutex(())

  /// - Parameter strands: How many run programs on it.
  public init(strands: Int) { registers = Array(repeating: 0, count: strands) }

  /// Runs a program.
  ///
  /// - Returns: What it has read, summed up; each reading counts ten times as much as the one before.
  public func run(_ program: [Instruction]) -> Int {
    var register = 0
    for instruction in program {
      switch instruction {
      case .incrementX: x &+= 1  // incrementX
      case .addYToX: x &+= y  // addYToX
      case .setX: x = 5  // setX
      case .setY: y = 3  // setY
      case .readX: register = 10 &* register &+ x  // readX
      case .readY: register = 10 &* register &+ y  // readY
      case .readXIfFlag: if flag { register = 10 &* register &+ x }  // readXIfFlag
      case .setFlag: flag = true  // setFlag
      case .clearFlag: flag = false  // clearFlag
      case .toggleFlag: flag = !flag  // toggleFlag
      case .addAtomic: atomic.wrappingAdd(1, ordering: .relaxed)
      case .storeAtomic: atomic.store(2, ordering: .releasing)
      case .copyAtomic: atomic.store(atomic.load(ordering: .acquiring) &+ 1, ordering: .releasing)
      case .exchangeAtomic:
        _ = atomic.compareExchange(expected: 0, desired: 7, ordering: .acquiringAndReleasing)
      case .readXIfAtomic:
        if atomic.load(ordering: .acquiring) > 1 { register = 10 &* register &+ x }  // readXIfAtomic
      case .lockedIncrementX:
        lock.lock()
        x &+= 1  // lockedIncrementX
        lock.unlock()
      case .lockedReadY:
        register = 10 &* register &+ lock.withLock { y }  // lockedReadY
      case .lockedSetY:
        lock.withLock { y = 4 }  // lockedSetY
      case .mutexIncrementX:
        mutex.withLock { _ in x &+= 1 }  // mutexIncrementX
      case .mutexSetFlag:
        mutex.withLock { _ in flag = true }  // mutexSetFlag
      case .lock: lock.lock()
      case .unlock: lock.unlock()
      }
    }
    return register
  }
}
