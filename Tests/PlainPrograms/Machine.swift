import Foundation
import Synchronization

/// A machine for small programs, each of whose instructions is a line of ordinary code.
public final class Machine: @unchecked Sendable {
  public enum Instruction: String, CaseIterable, Sendable, Hashable {
    case incrementX, addYToX, setX, setY, readX, readY, readXIfFlag, setFlag, toggleFlag
    case addAtomic, storeAtomic, copyAtomic, exchangeAtomic, readXIfAtomic
    case lockedIncrementX, lockedReadY, lockedSetY, mutexIncrementX, mutexSetFlag, tryToIncrementX
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
  /// - Returns: What it has read, each reading in a way of its instruction's.
  public func run(_ program: [Instruction]) -> Int {
    var register = 0
    for instruction in program {
      switch instruction {
      case .incrementX: incrementX()
      case .addYToX: addYToX()
      case .setX: setX()
      case .setY: setY()
      case .readX: readX(&register)
      case .readY: readY(&register)
      case .readXIfFlag: readXIfFlag(&register)
      case .setFlag: setFlag()
      case .toggleFlag: toggleFlag()
      case .addAtomic: atomic.wrappingAdd(1, ordering: .relaxed)
      case .storeAtomic: atomic.store(2, ordering: .releasing)
      case .copyAtomic: atomic.store(atomic.load(ordering: .acquiring) &+ 1, ordering: .releasing)
      case .exchangeAtomic:
        _ = atomic.compareExchange(expected: 0, desired: 7, ordering: .acquiringAndReleasing)
      case .readXIfAtomic: readXIfAtomic(&register)
      case .lockedIncrementX: lockedIncrementX()
      case .lockedReadY: lockedReadY(&register)
      case .lockedSetY: lockedSetY()
      case .mutexIncrementX: mutexIncrementX()
      case .mutexSetFlag: mutexSetFlag()
      case .tryToIncrementX: tryToIncrementX()
      case .lock: lock.lock()
      case .unlock: lock.unlock()
      }
    }
    return register
  }

  // Apart, and each with a number of its own: the optimizer would make one of what is alike, and then no line could
  // be told from another.
  @inline(never) private func incrementX() {
    x &+= 1  // incrementX
  }
  @inline(never) private func addYToX() {
    x &+= y  // addYToX
  }
  @inline(never) private func setX() {
    x = 5  // setX
  }
  @inline(never) private func setY() {
    y = 3  // setY
  }
  @inline(never) private func readX(_ register: inout Int) {
    register = 2 &* register &+ x  // readX
  }
  @inline(never) private func readY(_ register: inout Int) {
    register = 3 &* register &+ y  // readY
  }
  @inline(never) private func readXIfFlag(_ register: inout Int) {
    if flag { register = 5 &* register &+ x }  // readXIfFlag
  }
  @inline(never) private func setFlag() {
    flag = true  // setFlag
  }
  @inline(never) private func toggleFlag() {
    flag = !flag  // toggleFlag
  }
  @inline(never) private func readXIfAtomic(_ register: inout Int) {
    if atomic.load(ordering: .acquiring) > 1 { register = 7 &* register &+ x }  // readXIfAtomic
  }
  @inline(never) private func lockedIncrementX() {
    lock.lock()
    x &+= 2  // lockedIncrementX
    lock.unlock()
  }
  @inline(never) private func lockedReadY(_ register: inout Int) {
    lock.withLock { register = 11 &* register &+ y }  // lockedReadY
  }
  @inline(never) private func lockedSetY() {
    lock.withLock { y = 4 }  // lockedSetY
  }
  @inline(never) private func mutexIncrementX() {
    mutex.withLock { _ in x &+= 3 }  // mutexIncrementX
  }
  @inline(never) private func tryToIncrementX() {
    mutex.withLockIfAvailable { _ in x &+= 4 }  // tryToIncrementX
  }
  @inline(never) private func mutexSetFlag() {
    mutex.withLock { _ in flag = true }  // mutexSetFlag
  }
}
