import struct Foundation.Date

/// What can be locked and unlocked.
public protocol NSLocking {
  /// Waits for the lock and takes it.
  func lock()
  /// Gives the lock back.
  func unlock()
}

extension NSLocking {
  /// Takes the lock for the time of the body.
  ///
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  public func withLock<R>(_ body: () throws -> R) rethrows -> R {
    lock()
    defer { unlock() }
    return try body()
  }
}

/// A lock and whoever holds it.
struct ControlledLock: Sendable {
  let object: ControlledObject

  init(_ kind: String, madeIn maker: String) {
    object = ControlledObject(kind, madeIn: maker, .lock(isHeld: false))
  }

  var isHeldByCaller: Bool { object.control.holder(of: object.id) == object.control.strand }

  func lock() { object.perform(.acquire, "locks") }

  /// Takes the lock, or gives up at a moment of virtual time.
  func lock(before limit: Date) -> Bool {
    object.control.perform(
      [object.use(.acquire)], before: DispatchTime(limit, object.control), "locks \(object.name)")
      == .success
  }

  func `try`() -> Bool {
    let isTaken = object.perform(.attempt, "tries") == .done
    object.control.note(isTaken ? "gets it" : "does not get it")
    return isTaken
  }

  func unlock() {
    guard isHeldByCaller else {
      object.control.trap(
        "unlocks \(object.name), which it does not hold; POSIX leaves open what happens then")
    }
    object.perform(.release, "unlocks")
  }
}
